import { Module } from '@nestjs/common';

import { AccountsModule } from '../accounts/accounts.module.js';
import { ConfirmSender } from './application/confirm-sender.service.js';
import { ManageSenders } from './application/manage-senders.service.js';
import { MailedTokens } from './application/ports/mailed-tokens.js';
import { SenderIdentities } from './application/ports/sender-identities.js';
import { SenderRepository } from './application/ports/sender.repository.js';
import { VerificationMailer } from './application/ports/verification-mailer.js';
import { SenderDirectory } from './application/sender-directory.service.js';
import { SendersController } from './http/senders.controller.js';
import { VerifySenderController } from './http/verify-sender.controller.js';
import { SmtpVerificationMailer } from './infrastructure/smtp-verification-mailer.js';
import { SqlMailedTokens } from './infrastructure/sql-mailed-tokens.js';
import { SqlSenderIdentities } from './infrastructure/sql-sender-identities.js';
import { TypeOrmSenderRepository } from './infrastructure/typeorm-sender.repository.js';

@Module({
  imports: [AccountsModule],
  controllers: [SendersController, VerifySenderController],
  providers: [
    ManageSenders,
    ConfirmSender,
    SenderDirectory,
    { provide: SenderRepository, useClass: TypeOrmSenderRepository },
    { provide: MailedTokens, useClass: SqlMailedTokens },
    { provide: SenderIdentities, useClass: SqlSenderIdentities },
    { provide: VerificationMailer, useClass: SmtpVerificationMailer },
  ],
  exports: [SenderDirectory],
})
export class DomainsModule {}
