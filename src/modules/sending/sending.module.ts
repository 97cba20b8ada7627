import { Module } from '@nestjs/common';

import { AccountsModule } from '../accounts/accounts.module.js';
import { DomainsModule } from '../domains/domains.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { ProviderSettingsModule } from '../provider-settings/provider-settings.module.js';
import { SendersModule } from '../senders/senders.module.js';
import { SmsModule } from '../sms/sms.module.js';
import { SuppressionModule } from '../suppression/suppression.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { TrackingModule } from '../tracking/tracking.module.js';
import { AcceptEmail } from './application/accept-email.service.js';
import { AcceptSms } from './application/accept-sms.service.js';
import { AfterFailure } from './application/after-failure.service.js';
import { CheckSubmission } from './application/check-submission.service.js';
import { DeliverMessages } from './application/deliver-messages.service.js';
import { MessageProvider } from './application/ports/message-provider.js';
import { SendingRate } from './application/ports/sending-rate.js';
import { RecordBounce } from './application/record-bounce.service.js';
import { RenderContent } from './application/render-content.service.js';
import { IdempotentSend } from './application/idempotent-send.service.js';
import { AcceptedAnswer } from './http/accepted-answer.js';
import { SendTestController } from './http/send-test.controller.js';
import { SendController } from './http/send.controller.js';
import { SmsController } from './http/sms.controller.js';
import { AccountEmailProvider } from './infrastructure/account-email-provider.js';
import { AccountProvider } from './infrastructure/account-provider.js';
import { AccountSmsProvider } from './infrastructure/account-sms-provider.js';
import { SendingLimits } from './infrastructure/sending-limits.js';
import { SesEmailProvider } from './infrastructure/ses-email-provider.js';
import { SesTracking } from './infrastructure/ses-tracking.js';
import { SmtpEmailProvider } from './infrastructure/smtp-email-provider.js';
import { SqlSendingRate } from './infrastructure/sql-sending-rate.js';
import { DeliverEmailHandler, EmailDeliveryProcessor } from './jobs/email-delivery.processor.js';
import { LeaseRenewal } from './jobs/lease-renewal.js';
import { DeliverSmsHandler, SmsDeliveryProcessor } from './jobs/sms-delivery.processor.js';

@Module({
  imports: [
    AccountsModule,
    ProviderSettingsModule,
    DomainsModule,
    SendersModule,
    MessagesModule,
    SmsModule,
    SuppressionModule,
    TemplatesModule,
    TrackingModule,
  ],
  controllers: [SendController, SendTestController, SmsController],
  providers: [
    AcceptEmail,
    AcceptSms,
    RecordBounce,
    RenderContent,
    IdempotentSend,
    AcceptedAnswer,
    CheckSubmission,
    DeliverMessages,
    DeliverEmailHandler,
    DeliverSmsHandler,
    EmailDeliveryProcessor,
    SmsDeliveryProcessor,
    LeaseRenewal,
    AfterFailure,
    SmtpEmailProvider,
    SesEmailProvider,
    SesTracking,
    SendingLimits,
    AccountEmailProvider,
    AccountSmsProvider,
    { provide: MessageProvider, useClass: AccountProvider },
    { provide: SendingRate, useClass: SqlSendingRate },
  ],
})
export class SendingModule {}
