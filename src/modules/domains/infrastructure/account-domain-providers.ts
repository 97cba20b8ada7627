import { Injectable } from '@nestjs/common';

import { SecretBox } from '../../../shared/ports/secret-box.js';
import { ProviderDirectory } from '../../provider-settings/index.js';
import { DkimKeyPairs } from '../application/ports/dkim-key-pairs.js';
import { DnsResolver } from '../application/ports/dns-resolver.js';
import { type DomainProvider, DomainProviders } from '../application/ports/domain-providers.js';
import { EmailIdentities } from '../application/ports/email-identities.js';
import { newDkimKey } from '../domain/dkim-key.js';
import { DkimKeyQueue } from './dkim-key-queue.js';
import { SesDomainProvider } from './ses-domain-provider.js';
import { SmtpDomainProvider } from './smtp-domain-provider.js';

@Injectable()
export class AccountDomainProviders extends DomainProviders {
  private readonly keys: DkimKeyQueue;

  constructor(
    private readonly providers: ProviderDirectory,
    private readonly dns: DnsResolver,
    private readonly identities: EmailIdentities,
    pairs: DkimKeyPairs,
    secrets: SecretBox,
  ) {
    super();
    this.keys = new DkimKeyQueue(async (domainId) =>
      newDkimKey(domainId, await pairs.generate(), (plain) => secrets.seal(plain)),
    );
  }

  async of(accountId: string): Promise<DomainProvider> {
    const provider = await this.providers.find(accountId);
    if (provider?.kind === 'ses') return new SesDomainProvider(provider.access, this.identities, this.dns);
    const relay = provider?.kind === 'smtp' ? { host: provider.relay.host, vendor: provider.vendor } : null;
    return new SmtpDomainProvider(relay, this.dns, this.keys);
  }
}
