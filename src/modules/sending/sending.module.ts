import { Module } from '@nestjs/common';

import { AccountsModule } from '../accounts/accounts.module.js';
import { DomainsModule } from '../domains/domains.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { SuppressionModule } from '../suppression/suppression.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { TrackingModule } from '../tracking/tracking.module.js';
import { AcceptEmail } from './application/accept-email.service.js';
import { AfterFailure } from './application/after-failure.service.js';
import { DeliverEmail } from './application/deliver-email.service.js';
import { EmailProvider } from './application/ports/email-provider.js';
import { SendingRate } from './application/ports/sending-rate.js';
import { RenderContent } from './application/render-content.service.js';
import { SendTestController } from './http/send-test.controller.js';
import { SendController } from './http/send.controller.js';
import { AccountEmailProvider } from './infrastructure/account-email-provider.js';
import { SendingLimits } from './infrastructure/sending-limits.js';
import { SesEmailProvider } from './infrastructure/ses-email-provider.js';
import { SesTracking } from './infrastructure/ses-tracking.js';
import { SmtpEmailProvider } from './infrastructure/smtp-email-provider.js';
import { SqlSendingRate } from './infrastructure/sql-sending-rate.js';
import { DeliverEmailHandler } from './jobs/deliver-email.handler.js';

@Module({
  imports: [AccountsModule, DomainsModule, MessagesModule, SuppressionModule, TemplatesModule, TrackingModule],
  controllers: [SendController, SendTestController],
  providers: [
    AcceptEmail,
    RenderContent,
    DeliverEmail,
    DeliverEmailHandler,
    AfterFailure,
    SmtpEmailProvider,
    SesEmailProvider,
    SesTracking,
    SendingLimits,
    { provide: EmailProvider, useClass: AccountEmailProvider },
    { provide: SendingRate, useClass: SqlSendingRate },
  ],
})
export class SendingModule {}
