import { Injectable, Logger } from '@nestjs/common';

import type { ProviderKey } from '../../../shared/provider-key.js';
import { ProviderDirectory } from '../../provider-settings/index.js';

/** A deleted domain or sender. */
interface Deleted {
  id: string;
  accountId: string;
  identityCreatedIn: readonly ProviderKey[];
}

/** Deletes identities at providers that the service created, and no others. */
@Injectable()
export class ReleaseIdentity {
  private readonly logger = new Logger(ReleaseIdentity.name);

  constructor(private readonly providers: ProviderDirectory) {}

  /** Never throws: an identity that can no longer be deleted is left to the holder of the account there. */
  async release({ id, accountId, identityCreatedIn }: Deleted, name: string): Promise<void> {
    for (const providerKey of identityCreatedIn) {
      try {
        const identities = await this.providers.findKeeper(accountId, providerKey);
        if (!identities) throw new Error('the account no longer has this access');
        await identities.delete(name);
      } catch (error) {
        const { message } = error as Error;
        this.logger.warn(`The identity of ${id} of account ${accountId} stays in ${providerKey}: ${message}`);
      }
    }
  }
}
