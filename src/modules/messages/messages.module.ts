import { Module } from '@nestjs/common';

import { Config } from '../../config/config.js';
import { ProviderSettingsModule } from '../provider-settings/provider-settings.module.js';
import { RECIPIENT_ERASURE } from '../../shared/ports/recipient-erasure.js';
import { ControlMessages } from './application/control-messages.service.js';
import { DailyCaps } from './application/daily-caps.service.js';
import { CampaignContents } from './application/ports/campaign-contents.js';
import { CampaignIntake } from './application/ports/campaign-intake.js';
import { DailyUsage } from './application/ports/daily-usage.js';
import { EventFeed } from './application/ports/event-feed.js';
import { DeliveryJobs, PendingDeliveryRepository } from './application/ports/pending-delivery.repository.js';
import { IdempotencyStore } from './application/ports/idempotency-store.js';
import { EventWaits } from './application/event-waits.service.js';
import { FollowEvents } from './application/follow-events.service.js';
import { MessageListVersion } from './application/message-list-version.service.js';
import { MessageActivity } from './application/ports/message-activity.js';
import { BatchIntake } from './application/ports/batch-intake.js';
import { MessageGroups } from './application/ports/message-groups.js';
import { MessageIntake } from './application/ports/message-intake.js';
import { MessagePartitions, MessageRollup } from './application/ports/message-maintenance.js';
import { MessageReader } from './application/ports/message-reader.js';
import { ScheduledDeliveries } from './application/ports/scheduled-deliveries.js';
import { TimelineRepository } from './application/ports/timeline.repository.js';
import { ReadAttachments } from './application/read-attachments.service.js';
import { ReportedResults } from './application/reported-results.service.js';
import { ReadMessages } from './application/read-messages.service.js';
import { RetainMessages } from './application/retain-messages.service.js';
import { RollUpMessages } from './application/roll-up-messages.service.js';
import { ShowActivity } from './application/show-activity.service.js';
import { SweepDeliveries } from './application/sweep-deliveries.service.js';
import { Retention } from './domain/retention.js';
import { ActivityController } from './http/activity.controller.js';
import { AttachmentsController } from './http/attachments.controller.js';
import { EventFeedController } from './http/event-feed.controller.js';
import { MessageActionsController } from './http/message-actions.controller.js';
import { MessageExportController } from './http/message-export.controller.js';
import { MessagesController } from './http/messages.controller.js';
import { SqlBatchIntake } from './infrastructure/acceptance/sql-batch-intake.js';
import { SqlCampaignContents } from './infrastructure/acceptance/sql-campaign-contents.js';
import { SqlCampaignIntake } from './infrastructure/acceptance/sql-campaign-intake.js';
import { CachedDailyUsage } from './infrastructure/acceptance/cached-daily-usage.js';
import { SqlDailyUsage } from './infrastructure/acceptance/sql-daily-usage.js';
import { SqlIdempotencyStore } from './infrastructure/acceptance/sql-idempotency-store.js';
import { SqlMessageIntake } from './infrastructure/acceptance/sql-message-intake.js';
import { BatchedPendingDeliveryRepository } from './infrastructure/delivery/batched-pending-delivery.repository.js';
import { BufferedDeliveryJobs } from './infrastructure/delivery/buffered-delivery-jobs.js';
import { SqlScheduledDeliveries } from './infrastructure/delivery/sql-scheduled-deliveries.js';
import { FeedServerCheck } from './infrastructure/feed/feed-server-check.js';
import { SqlEventFeed } from './infrastructure/feed/sql-event-feed.js';
import { SqlMessageGroups } from './infrastructure/groups/sql-message-groups.js';
import { SqlMessageActivity } from './infrastructure/queries/sql-message-activity.js';
import { SqlMessageReader } from './infrastructure/queries/sql-message-reader.js';
import { UnfilteredMessagePages } from './infrastructure/queries/unfiltered-message-pages.js';
import { SqlMessageSearch } from './infrastructure/queries/sql-message-search.js';
import { SqlTaggedMessages } from './infrastructure/queries/sql-tagged-messages.js';
import { Trigrams } from './infrastructure/queries/trigrams.js';
import { SqlMessagePartitions } from './infrastructure/retention/sql-message-partitions.js';
import { SqlMessageRollup } from './infrastructure/retention/sql-message-rollup.js';
import { SqlTimelineRepository } from './infrastructure/timeline/sql-timeline.repository.js';
import { BatchResultErasure } from './infrastructure/batch-result-erasure.js';
import { MessageErasure } from './infrastructure/message-erasure.js';
import { BacklogGauges } from './jobs/backlog.gauges.js';
import { MessageSchedules } from './jobs/message-schedules.js';
import { ScheduledMessagesPoll } from './jobs/scheduled-messages.poll.js';

const retentionOf = ({ contentRetentionDays, messageRetentionMonths }: Config): Retention =>
  new Retention(contentRetentionDays, messageRetentionMonths);

@Module({
  imports: [ProviderSettingsModule],
  controllers: [
    ActivityController,
    MessageExportController,
    EventFeedController,
    MessagesController,
    MessageActionsController,
    AttachmentsController,
  ],
  providers: [
    DailyCaps,
    ReadMessages,
    ReportedResults,
    ReadAttachments,
    ShowActivity,
    MessageListVersion,
    FollowEvents,
    EventWaits,
    FeedServerCheck,
    RollUpMessages,
    SweepDeliveries,
    ScheduledMessagesPoll,
    ControlMessages,
    RetainMessages,
    MessageSchedules,
    BacklogGauges,
    CachedDailyUsage,
    { provide: DailyUsage, useClass: SqlDailyUsage },
    { provide: MessageIntake, useClass: SqlMessageIntake },
    { provide: BatchIntake, useClass: SqlBatchIntake },
    { provide: MessageGroups, useClass: SqlMessageGroups },
    { provide: CampaignContents, useClass: SqlCampaignContents },
    { provide: CampaignIntake, useClass: SqlCampaignIntake },
    { provide: IdempotencyStore, useClass: SqlIdempotencyStore },
    { provide: PendingDeliveryRepository, useClass: BatchedPendingDeliveryRepository },
    { provide: ScheduledDeliveries, useClass: SqlScheduledDeliveries },
    { provide: DeliveryJobs, useClass: BufferedDeliveryJobs },
    UnfilteredMessagePages,
    SqlMessageSearch,
    SqlTaggedMessages,
    Trigrams,
    { provide: MessageReader, useClass: SqlMessageReader },
    { provide: MessageActivity, useClass: SqlMessageActivity },
    { provide: EventFeed, useClass: SqlEventFeed },
    { provide: MessageRollup, useClass: SqlMessageRollup },
    { provide: TimelineRepository, useClass: SqlTimelineRepository },
    { provide: MessagePartitions, useClass: SqlMessagePartitions },
    { provide: Retention, inject: [Config], useFactory: retentionOf },
    { provide: RECIPIENT_ERASURE.messages, useClass: MessageErasure },
    { provide: RECIPIENT_ERASURE.batchResults, useClass: BatchResultErasure },
  ],
  exports: [
    RECIPIENT_ERASURE.messages,
    RECIPIENT_ERASURE.batchResults,
    CampaignContents,
    CampaignIntake,
    DailyCaps,
    ReadMessages,
    IdempotencyStore,
    MessageIntake,
    BatchIntake,
    MessageGroups,
    PendingDeliveryRepository,
    DeliveryJobs,
    Retention,
    ShowActivity,
    TimelineRepository,
  ],
})
export class MessagesModule {}
