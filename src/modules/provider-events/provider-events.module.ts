import { Module } from '@nestjs/common';

import { ProviderSettingsModule } from '../provider-settings/provider-settings.module.js';
import { RECIPIENT_ERASURE } from '../../shared/ports/recipient-erasure.js';
import { MessagesModule } from '../messages/messages.module.js';
import { SuppressionModule } from '../suppression/suppression.module.js';
import { MatchEvents } from './application/match-events.service.js';
import { EventVendors } from './application/ports/event-vendor.js';
import { Replies } from './application/ports/replies.js';
import { SeenReports } from './application/ports/seen-reports.js';
import { SnsGateway } from './application/ports/sns-gateway.js';
import { UnmatchedEvents } from './application/ports/unmatched-events.js';
import { ReceiveSesEvents } from './application/receive-ses-events.service.js';
import { ReceiveSmsReply } from './application/receive-sms-reply.service.js';
import { ReceiveVendorEvents } from './application/receive-vendor-events.service.js';
import { ApplyEvents } from './application/apply-events.service.js';
import { StoreReports } from './application/store-reports.service.js';
import { StoreReply } from './application/store-reply.service.js';
import { HandleSnsNotification } from './application/handle-sns-notification.service.js';
import { VerifySns } from './application/verify-sns.service.js';
import { ProviderEventLog } from './http/provider-event-log.js';
import { ProviderEventsController } from './http/provider-events.controller.js';
import { SmsEventsController } from './http/sms-events.controller.js';
import { BuiltInEventVendors } from './infrastructure/built-in-event-vendors.js';
import { HttpSnsGateway } from './infrastructure/http-sns-gateway.js';
import { SqlReplies } from './infrastructure/sql-replies.js';
import { SqlSeenReports } from './infrastructure/sql-seen-reports.js';
import { SqlUnmatchedEvents } from './infrastructure/sql-unmatched-events.js';
import { UnmatchedEventErasure } from './infrastructure/unmatched-event-erasure.js';
import { ProviderEventSchedules } from './jobs/provider-event-schedules.js';

@Module({
  imports: [ProviderSettingsModule, MessagesModule, SuppressionModule],
  controllers: [ProviderEventsController, SmsEventsController],
  providers: [
    ReceiveSesEvents,
    ReceiveVendorEvents,
    VerifySns,
    HandleSnsNotification,
    ReceiveSmsReply,
    StoreReply,
    StoreReports,
    ApplyEvents,
    MatchEvents,
    ProviderEventLog,
    ProviderEventSchedules,
    { provide: EventVendors, useClass: BuiltInEventVendors },
    { provide: Replies, useClass: SqlReplies },
    { provide: SeenReports, useClass: SqlSeenReports },
    { provide: SnsGateway, useClass: HttpSnsGateway },
    { provide: UnmatchedEvents, useClass: SqlUnmatchedEvents },
    { provide: RECIPIENT_ERASURE.providerEvents, useClass: UnmatchedEventErasure },
  ],
  exports: [RECIPIENT_ERASURE.providerEvents, ApplyEvents, StoreReply],
})
export class ProviderEventsModule {}
