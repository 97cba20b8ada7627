import { Injectable, Logger } from '@nestjs/common';

import type { AwsAccess } from '../../../shared/account-provider.js';
import { SecretBox } from '../../../shared/ports/secret-box.js';
import { AccountDirectory } from '../../accounts/index.js';
import { type SetUpFor, setUpForSes } from '../domain/set-up-for.js';
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
    private readonly accounts: AccountDirectory,
    private readonly secrets: SecretBox,
    private readonly identities: EmailIdentities,
  ) {}

  /** Never throws: what cannot be reached any more, or does not let go, is its AWS account's holder to remove. */
  async release({ id, accountId, madeIn }: Gone, name: string): Promise<void> {
    for (const place of madeIn) {
      try {
        const access = await this.accessOf(accountId);
        if (!access || setUpForSes(access) !== place) throw new Error('the account no longer has this access');
        await this.identities.delete(access, name);
      } catch (error) {
        this.logger.warn(
          `What ${id} of account ${accountId} made in ${place} stays there: ${(error as Error).message}`,
        );
      }
    }
  }

  /** The settings for SES stay when the account sends through a relay. */
  private async accessOf(accountId: string): Promise<AwsAccess | null> {
    const { ses } = await this.accounts.get(accountId);
    if (!ses) return null;
    const { region, accessKeyId, sealedSecretAccessKey } = ses;
    if (accessKeyId === null || sealedSecretAccessKey === null) return { region, credentials: null };
    return { region, credentials: { accessKeyId, secretAccessKey: this.secrets.open(sealedSecretAccessKey) } };
  }
}
