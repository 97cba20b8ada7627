import { Module } from '@nestjs/common';

import { Config } from '../../config/config.js';
import { ProviderSettingsModule } from '../provider-settings/provider-settings.module.js';
import { RECIPIENT_ERASURE } from '../../shared/ports/recipient-erasure.js';
import { ControlMessages } from './application/control-messages.service.js';
import { DailyCaps } from './application/daily-caps.service.js';
import { CampaignContents } from './application/ports/campaign-contents.js';
import { CampaignIntake } from './application/ports/campaign-intake.js';
import { DailyUsage } from './application/ports/daily-usage.js';
import { DeliveryJobs, PendingDeliveryRepository } from './application/ports/pending-delivery.repository.js';
import { IdempotencyStore } from './application/ports/idempotency-store.js';
import { MessageVersions } from './application/message-versions.service.js';
import { MessageActivity } from './application/ports/message-activity.js';
import { BatchIntake } from './application/ports/batch-intake.js';
import { GroupIntake } from './application/ports/group-intake.js';
import { MessageGroups } from './application/ports/message-groups.js';
import { MessageIntake } from './application/ports/message-intake.js';
import { MessagePartitions, MessageRollup } from './application/ports/message-maintenance.js';
import { MessageReader } from './application/ports/message-reader.js';
import { ScheduledDeliveries } from './application/ports/scheduled-deliveries.js';
import { TimelineRepository } from './application/ports/timeline.repository.js';
import { ReadAttachments } from './application/read-attachments.service.js';
import { ReadMessages } from './application/read-messages.service.js';
import { ReleaseScheduled } from './application/release-scheduled.service.js';
import { RetainMessages } from './application/retain-messages.service.js';
import { RollUpMessages } from './application/roll-up-messages.service.js';
import { ShowActivity } from './application/show-activity.service.js';
import { SweepDeliveries } from './application/sweep-deliveries.service.js';
import { Retention } from './domain/retention.js';
import { ActivityController } from './http/activity.controller.js';
import { AttachmentsController } from './http/attachments.controller.js';
import { MessageActionsController } from './http/message-actions.controller.js';
import { MessageExportController } from './http/message-export.controller.js';
import { MessagesController } from './http/messages.controller.js';
import { BatchedGroupIntake } from './infrastructure/acceptance/batched-group-intake.js';
import { BatchedMessageIntake } from './infrastructure/acceptance/batched-message-intake.js';
import { SqlBatchIntake } from './infrastructure/acceptance/sql-batch-intake.js';
import { SqlCampaignContents } from './infrastructure/acceptance/sql-campaign-contents.js';
import { SqlCampaignIntake } from './infrastructure/acceptance/sql-campaign-intake.js';
import { RecentUsage } from './infrastructure/acceptance/recent-usage.js';
import { SqlDailyUsage } from './infrastructure/acceptance/sql-daily-usage.js';
import { SqlIdempotencyStore } from './infrastructure/acceptance/sql-idempotency-store.js';
import { BatchedPendingDeliveryRepository } from './infrastructure/delivery/batched-pending-delivery.repository.js';
import { BufferedDeliveryJobs } from './infrastructure/delivery/buffered-delivery-jobs.js';
import { SqlScheduledDeliveries } from './infrastructure/delivery/sql-scheduled-deliveries.js';
import { SqlMessageGroups } from './infrastructure/groups/sql-message-groups.js';
import { SqlMessageActivity } from './infrastructure/queries/sql-message-activity.js';
import { SqlMessageReader } from './infrastructure/queries/sql-message-reader.js';
import { NewestPages } from './infrastructure/queries/newest-pages.js';
import { SqlMessageSearch } from './infrastructure/queries/sql-message-search.js';
import { SqlTaggedMessages } from './infrastructure/queries/sql-tagged-messages.js';
import { Trigrams } from './infrastructure/queries/trigrams.js';
import { SqlMessagePartitions } from './infrastructure/retention/sql-message-partitions.js';
import { SqlMessageRollup } from './infrastructure/retention/sql-message-rollup.js';
import { SqlTimelineRepository } from './infrastructure/timeline/sql-timeline.repository.js';
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
    MessagesController,
    MessageActionsController,
    AttachmentsController,
  ],
  providers: [
    DailyCaps,
    ReadMessages,
    ReadAttachments,
    ShowActivity,
    MessageVersions,
    RollUpMessages,
    SweepDeliveries,
    ReleaseScheduled,
    ScheduledMessagesPoll,
    ControlMessages,
    RetainMessages,
    MessageSchedules,
    BacklogGauges,
    RecentUsage,
    { provide: DailyUsage, useClass: SqlDailyUsage },
    { provide: MessageIntake, useClass: BatchedMessageIntake },
    { provide: GroupIntake, useClass: BatchedGroupIntake },
    { provide: BatchIntake, useClass: SqlBatchIntake },
    { provide: MessageGroups, useClass: SqlMessageGroups },
    { provide: CampaignContents, useClass: SqlCampaignContents },
    { provide: CampaignIntake, useClass: SqlCampaignIntake },
    { provide: IdempotencyStore, useClass: SqlIdempotencyStore },
    { provide: PendingDeliveryRepository, useClass: BatchedPendingDeliveryRepository },
    { provide: ScheduledDeliveries, useClass: SqlScheduledDeliveries },
    { provide: DeliveryJobs, useClass: BufferedDeliveryJobs },
    NewestPages,
    SqlMessageSearch,
    SqlTaggedMessages,
    Trigrams,
    { provide: MessageReader, useClass: SqlMessageReader },
    { provide: MessageActivity, useClass: SqlMessageActivity },
    { provide: MessageRollup, useClass: SqlMessageRollup },
    { provide: TimelineRepository, useClass: SqlTimelineRepository },
    { provide: MessagePartitions, useClass: SqlMessagePartitions },
    { provide: Retention, inject: [Config], useFactory: retentionOf },
    { provide: RECIPIENT_ERASURE.messages, useClass: MessageErasure },
  ],
  exports: [
    RECIPIENT_ERASURE.messages,
    CampaignContents,
    CampaignIntake,
    DailyCaps,
    ReadMessages,
    IdempotencyStore,
    MessageIntake,
    GroupIntake,
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
