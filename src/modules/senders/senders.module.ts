import { Module } from '@nestjs/common';

import { AccountsModule } from '../accounts/accounts.module.js';
import { DomainsModule } from '../domains/domains.module.js';
import { ProviderSettingsModule } from '../provider-settings/provider-settings.module.js';
import { SuppressionModule } from '../suppression/suppression.module.js';
import { SenderEligibility } from './application/sender-eligibility.service.js';
import { SenderVerification } from './application/sender-verification.service.js';
import { CheckDueSenders } from './application/check-due-senders.service.js';
import { ConfirmSender } from './application/confirm-sender.service.js';
import { ManageSenders } from './application/manage-senders.service.js';
import { DueSenders, SenderRepository } from './application/ports/sender.repository.js';
import {
  SesVerificationRequests,
  VerificationMailer,
  VerificationMailLimits,
  VerificationTokens,
} from './application/ports/sender-verification.js';
import { VerifiedSenders } from './application/ports/verified-senders.js';
import { SenderDirectory } from './application/sender-directory.service.js';
import { SendersController } from './http/senders.controller.js';
import { VerifySenderController } from './http/verify-sender.controller.js';
import { SmtpVerificationMailer } from './infrastructure/smtp-verification-mailer.js';
import { SqlDueSenders } from './infrastructure/sql-due-senders.js';
import { SqlSesVerificationRequests } from './infrastructure/sql-ses-verification-requests.js';
import { SqlVerificationTokens } from './infrastructure/sql-verification-tokens.js';
import { SqlVerifiedSenders } from './infrastructure/sql-verified-senders.js';
import { SqlVerificationMailLimits } from './infrastructure/sql-verification-mail-limits.js';
import { TypeOrmSenderRepository } from './infrastructure/typeorm-sender.repository.js';
import { SenderSchedules } from './jobs/sender-schedules.js';

@Module({
  imports: [AccountsModule, ProviderSettingsModule, DomainsModule, SuppressionModule],
  controllers: [SendersController, VerifySenderController],
  providers: [
    ManageSenders,
    SenderEligibility,
    SenderVerification,
    CheckDueSenders,
    ConfirmSender,
    SenderDirectory,
    SenderSchedules,
    { provide: SenderRepository, useClass: TypeOrmSenderRepository },
    { provide: DueSenders, useClass: SqlDueSenders },
    { provide: SesVerificationRequests, useClass: SqlSesVerificationRequests },
    { provide: VerificationTokens, useClass: SqlVerificationTokens },
    { provide: VerifiedSenders, useClass: SqlVerifiedSenders },
    { provide: VerificationMailLimits, useClass: SqlVerificationMailLimits },
    { provide: VerificationMailer, useClass: SmtpVerificationMailer },
  ],
  exports: [SenderDirectory],
})
export class SendersModule {}
