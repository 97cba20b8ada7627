import { Module } from '@nestjs/common';

import { ProviderSettingsModule } from '../provider-settings/provider-settings.module.js';
import { CheckDueDomains } from './application/check-due-domains.service.js';
import { DomainOwnership } from './application/domain-ownership.service.js';
import { LookUpRecords } from './application/look-up-records.service.js';
import { ManageDomains } from './application/manage-domains.service.js';
import { DkimKeyPairs } from './application/dkim-key-pairs.js';
import { DnsResolver } from './application/ports/dns-resolver.js';
import { DomainRepository } from './application/ports/domain.repository.js';
import { SigningKeys } from './application/ports/signing-keys.js';
import { PrepareDomain } from './application/prepare-domain.service.js';
import { DomainProviders } from './application/providers/domain-providers.service.js';
import { ReleaseIdentity } from './application/release-identity.service.js';
import { VerifyDomain } from './application/verify-domain.service.js';
import { VerifyRateLimit } from './application/verify-rate-limit.js';
import { DomainsController } from './http/domains.controller.js';
import { NodeDnsResolver } from './infrastructure/node-dns-resolver.js';
import { SqlSigningKeys } from './infrastructure/sql-signing-keys.js';
import { TypeOrmDomainRepository } from './infrastructure/typeorm-domain.repository.js';
import { DomainSchedules } from './jobs/domain-schedules.js';

@Module({
  imports: [ProviderSettingsModule],
  controllers: [DomainsController],
  providers: [
    DomainOwnership,
    DomainProviders,
    LookUpRecords,
    ManageDomains,
    PrepareDomain,
    ReleaseIdentity,
    VerifyDomain,
    VerifyRateLimit,
    CheckDueDomains,
    DomainSchedules,
    { provide: DomainRepository, useClass: TypeOrmDomainRepository },
    DkimKeyPairs,
    { provide: DnsResolver, useClass: NodeDnsResolver },
    { provide: SigningKeys, useClass: SqlSigningKeys },
  ],
  exports: [DomainOwnership, ReleaseIdentity, SigningKeys],
})
export class DomainsModule {}
