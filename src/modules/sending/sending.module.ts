import { Global, Module } from '@nestjs/common';

import { AccountsModule } from '../accounts/accounts.module.js';
import { ConsentModule } from '../consent/consent.module.js';
import { DomainsModule } from '../domains/domains.module.js';
import { CampaignRenderer } from '../messages/index.js';
import { MessagesModule } from '../messages/messages.module.js';
import { ProviderSettingsModule } from '../provider-settings/provider-settings.module.js';
import { SendersModule } from '../senders/senders.module.js';
import { SmsModule } from '../sms/sms.module.js';
import { SuppressionModule } from '../suppression/suppression.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { TrackingModule } from '../tracking/tracking.module.js';
import { AcceptEmail } from './application/accept-email.service.js';
import { AcceptSms } from './application/accept-sms.service.js';
import { FailurePolicy } from './application/failure-policy.service.js';
import { CheckProvider } from './application/check-provider.service.js';
import { CheckSubmission } from './application/check-submission.service.js';
import { ConsentOfResent } from './application/consent-of-resent.service.js';
import { FindOriginal } from './application/find-original.service.js';
import { QuietHoursOfAccount } from './application/quiet-hours-of-account.service.js';
import { ContentMemory } from './application/content-memory.js';
import { DeliverMessages } from './application/deliver-messages.service.js';
import { CampaignMessages } from './application/campaign-messages.service.js';
import { MessageProvider } from './application/ports/message-provider.js';
import { SendingRate } from './application/ports/sending-rate.js';
import { PrepareCampaignMessages } from './application/prepare-campaign-messages.service.js';
import { RecordRefusedRecipient } from './application/record-refused-recipient.service.js';
import { RenderCampaign } from './application/render-campaign.service.js';
import { RenderContent } from './application/render-content.service.js';
import { PrepareEmail } from './application/prepare-email.service.js';
import { PrepareSms } from './application/prepare-sms.service.js';
import { ResendMessage } from './application/resend-message.service.js';
import { SendBatch } from './application/send-batch.service.js';
import { ShowSource } from './application/show-source.service.js';
import { SubmitMessage } from './application/submit-message.service.js';
import { IdempotentSend } from './application/idempotent-send.service.js';
import { ProviderCheckController } from './http/provider-check.controller.js';
import { ReportAcceptedSend } from './http/report-accepted-send.js';
import { SendTestController } from './http/send-test.controller.js';
import { BatchController } from './http/batch.controller.js';
import { ResendController } from './http/resend.controller.js';
import { SendController } from './http/send.controller.js';
import { SmsController } from './http/sms.controller.js';
import { AccountMessageProvider } from './infrastructure/account-message-provider.js';
import { ComposeForProvider } from './infrastructure/compose-for-provider.js';
import { SourceController } from './http/source.controller.js';
import { SendingLimits } from './infrastructure/sending-limits.js';
import { SharedSendingRate } from './infrastructure/shared-sending-rate.js';
import {
  BulkDeliveryProcessor,
  BulkSmsDeliveryProcessor,
  EmailDeliveryProcessor,
  SmsDeliveryProcessor,
} from './jobs/delivery.processors.js';
import { DeliveryHandler } from './jobs/delivery.handler.js';

/** Global, because messages reads the contents of campaigns through a port that this module implements. */
@Global()
@Module({
  imports: [
    AccountsModule,
    ConsentModule,
    ProviderSettingsModule,
    DomainsModule,
    SendersModule,
    MessagesModule,
    SmsModule,
    SuppressionModule,
    TemplatesModule,
    TrackingModule,
  ],
  controllers: [
    BatchController,
    SendController,
    SendTestController,
    SmsController,
    ResendController,
    SourceController,
    ProviderCheckController,
  ],
  providers: [
    AcceptEmail,
    ContentMemory,
    PrepareEmail,
    PrepareSms,
    SendBatch,
    ResendMessage,
    AcceptSms,
    RecordRefusedRecipient,
    RenderContent,
    RenderCampaign,
    CampaignMessages,
    PrepareCampaignMessages,
    ShowSource,
    SubmitMessage,
    IdempotentSend,
    ReportAcceptedSend,
    CheckProvider,
    CheckSubmission,
    ConsentOfResent,
    FindOriginal,
    QuietHoursOfAccount,
    DeliverMessages,
    DeliveryHandler,
    EmailDeliveryProcessor,
    BulkDeliveryProcessor,
    BulkSmsDeliveryProcessor,
    SmsDeliveryProcessor,
    FailurePolicy,
    ComposeForProvider,
    SendingLimits,
    { provide: CampaignRenderer, useExisting: RenderCampaign },
    { provide: MessageProvider, useClass: AccountMessageProvider },
    { provide: SendingRate, useClass: SharedSendingRate },
  ],
  exports: [AcceptEmail, CampaignMessages, CampaignRenderer, IdempotentSend, RenderContent, SendBatch],
})
export class SendingModule {}
