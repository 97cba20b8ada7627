import { Injectable } from '@nestjs/common';

import { SecretBox } from '../../../shared/ports/secret-box.js';
import { ProviderDirectory } from '../../provider-settings/index.js';
import type { DomainProvider } from './domain-provider.js';
import { DnsResolver } from './ports/dns-resolver.js';
import { EmailIdentities } from './ports/email-identities.js';
import { SesDomainProvider } from './ses-domain-provider.js';
import { SmtpDomainProvider } from './smtp-domain-provider.js';

@Injectable()
export class DomainProviders {
  constructor(
    private readonly providers: ProviderDirectory,
    private readonly dns: DnsResolver,
    private readonly identities: EmailIdentities,
    private readonly secrets: SecretBox,
  ) {}

  /** Of the account as its settings are now; an account without a relay can verify its domains all the same. */
  async of(accountId: string): Promise<DomainProvider> {
    const provider = await this.providers.find(accountId);
    if (provider?.kind === 'ses') return new SesDomainProvider(provider.access, this.identities, this.dns);
    const relay = provider && { host: provider.relay.host, vendor: provider.vendor };
    return new SmtpDomainProvider(relay, this.dns, (plain) => this.secrets.seal(plain));
  }
}
