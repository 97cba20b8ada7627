import { Module } from '@nestjs/common';

import { ProviderSettingsModule } from '../provider-settings/provider-settings.module.js';
import { RECIPIENT_ERASURE } from '../../shared/ports/recipient-erasure.js';
import { MessagesModule } from '../messages/messages.module.js';
import { SuppressionModule } from '../suppression/suppression.module.js';
import { MatchEvents } from './application/match-events.service.js';
import { Replies } from './application/ports/replies.js';
import { SeenReports } from './application/ports/seen-reports.js';
import { UnmatchedEvents } from './application/ports/unmatched-events.js';
import { ReceiveReports } from './application/receive-reports.service.js';
import { ApplyEvents } from './application/apply-events.service.js';
import { StoreReports } from './application/store-reports.service.js';
import { StoreReply } from './application/store-reply.service.js';
import { ProviderEventLog } from './http/provider-event-log.js';
import { ProviderEventsController } from './http/provider-events.controller.js';
import { SmsEventsController } from './http/sms-events.controller.js';
import { SqlReplies } from './infrastructure/sql-replies.js';
import { SqlSeenReports } from './infrastructure/sql-seen-reports.js';
import { SqlUnmatchedEvents } from './infrastructure/sql-unmatched-events.js';
import { UnmatchedEventErasure } from './infrastructure/unmatched-event-erasure.js';
import { ProviderEventSchedules } from './jobs/provider-event-schedules.js';

@Module({
  imports: [ProviderSettingsModule, MessagesModule, SuppressionModule],
  controllers: [ProviderEventsController, SmsEventsController],
  providers: [
    ReceiveReports,
    StoreReply,
    StoreReports,
    ApplyEvents,
    MatchEvents,
    ProviderEventLog,
    ProviderEventSchedules,
    { provide: Replies, useClass: SqlReplies },
    { provide: SeenReports, useClass: SqlSeenReports },
    { provide: UnmatchedEvents, useClass: SqlUnmatchedEvents },
    { provide: RECIPIENT_ERASURE.providerEvents, useClass: UnmatchedEventErasure },
  ],
  exports: [RECIPIENT_ERASURE.providerEvents, ApplyEvents, StoreReply],
})
export class ProviderEventsModule {}
