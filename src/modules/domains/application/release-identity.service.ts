import { Injectable, Logger } from '@nestjs/common';

import { ProviderDirectory } from '../../provider-settings/index.js';
import { type SetUpFor, setUpForSes } from '../../../shared/provider-key.js';
import { EmailIdentities } from './ports/email-identities.js';

/** A domain or a sender that is gone. */
interface Gone {
  id: string;
  accountId: string;
  madeIn: readonly SetUpFor[];
}

/** Takes out of SES what was made there, and nothing else. */
@Injectable()
export class ReleaseIdentity {
  private readonly logger = new Logger(ReleaseIdentity.name);

  constructor(
    private readonly providers: ProviderDirectory,
    private readonly identities: EmailIdentities,
  ) {}

  /** Never throws: what cannot be reached any more, or does not let go, is its AWS account's holder to remove. */
  async release({ id, accountId, madeIn }: Gone, name: string): Promise<void> {
    for (const place of madeIn) {
      try {
        const access = await this.providers.sesAccess(accountId);
        if (!access || setUpForSes(access) !== place) throw new Error('the account no longer has this access');
        await this.identities.delete(access, name);
      } catch (error) {
        this.logger.warn(
          `What ${id} of account ${accountId} made in ${place} stays there: ${(error as Error).message}`,
        );
      }
    }
  }
}
