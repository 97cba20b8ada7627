import { Injectable, Logger } from '@nestjs/common';

import { type ProviderKey, sesProviderKey } from '../../../shared/provider-key.js';
import { ProviderDirectory } from '../../provider-settings/index.js';
import { EmailIdentities } from './ports/email-identities.js';

/** A deleted domain or sender. */
interface Deleted {
  id: string;
  accountId: string;
  identityCreatedIn: readonly ProviderKey[];
}

/** Deletes identities in SES that the service created, and no others. */
@Injectable()
export class ReleaseIdentity {
  private readonly logger = new Logger(ReleaseIdentity.name);

  constructor(
    private readonly providers: ProviderDirectory,
    private readonly identities: EmailIdentities,
  ) {}

  /** Never throws: an identity that can no longer be deleted is left to the holder of the AWS account. */
  async release({ id, accountId, identityCreatedIn }: Deleted, name: string): Promise<void> {
    for (const providerKey of identityCreatedIn) {
      try {
        const access = await this.providers.sesAccess(accountId);
        if (!access || sesProviderKey(access) !== providerKey) throw new Error('the account no longer has this access');
        await this.identities.delete(access, name);
      } catch (error) {
        const { message } = error as Error;
        this.logger.warn(`The identity of ${id} of account ${accountId} stays in ${providerKey}: ${message}`);
      }
    }
  }
}
