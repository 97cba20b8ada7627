import { Module } from '@nestjs/common';

import { AccountsModule } from '../accounts/accounts.module.js';
import { SuppressionModule } from '../suppression/suppression.module.js';
import { AdmitSender } from './application/admit-sender.service.js';
import { AskHolder } from './application/ask-holder.service.js';
import { CheckDueDomains } from './application/check-due-domains.service.js';
import { CheckDueSenders } from './application/check-due-senders.service.js';
import { ConfirmSender } from './application/confirm-sender.service.js';
import { DomainProviders } from './application/domain-providers.service.js';
import { ManageDomains } from './application/manage-domains.service.js';
import { ManageSenders } from './application/manage-senders.service.js';
import { DnsResolver } from './application/ports/dns-resolver.js';
import { DomainRepository } from './application/ports/domain.repository.js';
import { EmailIdentities } from './application/ports/email-identities.js';
import { MailedTokens } from './application/ports/mailed-tokens.js';
import { SenderIdentities } from './application/ports/sender-identities.js';
import { SenderRepository } from './application/ports/sender.repository.js';
import { SigningKeys } from './application/ports/signing-keys.js';
import { VerificationMailLimits } from './application/ports/verification-mail-limits.js';
import { VerificationMailer } from './application/ports/verification-mailer.js';
import { PrepareDomain } from './application/prepare-domain.service.js';
import { ReleaseIdentity } from './application/release-identity.service.js';
import { SenderDirectory } from './application/sender-directory.service.js';
import { VerifyDomain } from './application/verify-domain.service.js';
import { DomainsController } from './http/domains.controller.js';
import { SendersController } from './http/senders.controller.js';
import { VerifySenderController } from './http/verify-sender.controller.js';
import { NodeDnsResolver } from './infrastructure/node-dns-resolver.js';
import { SesEmailIdentities } from './infrastructure/ses-email-identities.js';
import { SmtpVerificationMailer } from './infrastructure/smtp-verification-mailer.js';
import { SqlMailedTokens } from './infrastructure/sql-mailed-tokens.js';
import { SqlSenderIdentities } from './infrastructure/sql-sender-identities.js';
import { SqlSigningKeys } from './infrastructure/sql-signing-keys.js';
import { SqlVerificationMailLimits } from './infrastructure/sql-verification-mail-limits.js';
import { TypeOrmDomainRepository } from './infrastructure/typeorm-domain.repository.js';
import { TypeOrmSenderRepository } from './infrastructure/typeorm-sender.repository.js';
import { DomainSchedules } from './jobs/domain-schedules.js';

@Module({
  imports: [AccountsModule, SuppressionModule],
  controllers: [DomainsController, SendersController, VerifySenderController],
  providers: [
    ManageDomains,
    PrepareDomain,
    ReleaseIdentity,
    VerifyDomain,
    DomainProviders,
    CheckDueDomains,
    ManageSenders,
    AdmitSender,
    AskHolder,
    CheckDueSenders,
    ConfirmSender,
    SenderDirectory,
    DomainSchedules,
    { provide: DomainRepository, useClass: TypeOrmDomainRepository },
    { provide: DnsResolver, useClass: NodeDnsResolver },
    { provide: EmailIdentities, useClass: SesEmailIdentities },
    { provide: SigningKeys, useClass: SqlSigningKeys },
    { provide: SenderRepository, useClass: TypeOrmSenderRepository },
    { provide: MailedTokens, useClass: SqlMailedTokens },
    { provide: SenderIdentities, useClass: SqlSenderIdentities },
    { provide: VerificationMailLimits, useClass: SqlVerificationMailLimits },
    { provide: VerificationMailer, useClass: SmtpVerificationMailer },
  ],
  exports: [SenderDirectory, SigningKeys],
})
export class DomainsModule {}
