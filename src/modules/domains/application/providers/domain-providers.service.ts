import { Injectable } from '@nestjs/common';

import { isSimulated, Providers } from '../../../../providers/index.js';
import { SecretBox } from '../../../../shared/ports/secret-box.js';
import { ProviderDirectory } from '../../../provider-settings/index.js';
import { DkimKeyPairs } from '../dkim-key-pairs.js';
import { DnsResolver } from '../ports/dns-resolver.js';
import { newDkimKey } from '../../domain/dkim-key.js';
import { DkimKeyQueue } from './dkim-key-queue.js';
import type { DomainProvider } from './domain-provider.js';
import { RegisteredDomainProvider } from './registered-domain-provider.js';
import { SignedDomainProvider } from './signed-domain-provider.js';

/** Finds the provider that an account's domains are verified with. */
@Injectable()
export class DomainProviders {
  private readonly keys: DkimKeyQueue;

  constructor(
    private readonly directory: ProviderDirectory,
    private readonly providers: Providers,
    private readonly dns: DnsResolver,
    pairs: DkimKeyPairs,
    secrets: SecretBox,
  ) {
    this.keys = new DkimKeyQueue(async (domainId) =>
      newDkimKey(domainId, await pairs.generate(), (plain) => secrets.seal(plain)),
    );
  }

  /**
   * The provider in the account's current settings. Without a relay it is the SMTP provider: domains can be verified
   * all the same.
   */
  async forAccount(accountId: string): Promise<DomainProvider> {
    const connection = await this.directory.find(accountId);
    const provider = connection && !isSimulated(connection) ? this.providers.email(connection) : null;
    const identities = connection && provider?.identitiesOf?.(connection);
    if (identities) return new RegisteredDomainProvider(identities, this.dns);
    const relay = (connection && provider?.relayRecordsOf?.(connection)) ?? null;
    return new SignedDomainProvider(relay, this.dns, this.keys);
  }
}
