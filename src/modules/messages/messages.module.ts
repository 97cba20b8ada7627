import { Module } from '@nestjs/common';

import { RECIPIENT_ERASURE } from '../../shared/ports/recipient-erasure.js';
import { DailyCaps } from './application/daily-caps.service.js';
import { DigestMessages } from './application/digest-messages.service.js';
import { DailyUsage } from './application/ports/daily-usage.js';
import { DeliveryJobs } from './application/ports/delivery-jobs.js';
import { PendingDeliveryRepository } from './application/ports/pending-delivery.repository.js';
import { IdempotencyStore } from './application/ports/idempotency-store.js';
import { TimelineRepository } from './application/ports/timeline.repository.js';
import { MessageActivity } from './application/ports/message-activity.js';
import { MessageDigest } from './application/ports/message-digest.js';
import { MessageIntake } from './application/ports/message-intake.js';
import { MessagePartitions } from './application/ports/message-partitions.js';
import { MessageReader } from './application/ports/message-reader.js';
import { Retention } from './application/ports/retention.js';
import { VisitRepository } from './application/ports/visit.repository.js';
import { ReadMessages } from './application/read-messages.service.js';
import { RetainMessages } from './application/retain-messages.service.js';
import { ShowActivity } from './application/show-activity.service.js';
import { SweepDeliveries } from './application/sweep-deliveries.service.js';
import { ActivityController } from './http/activity.controller.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { RelayHosts } from './application/relay-hosts.service.js';
import { MessagesController } from './http/messages.controller.js';
import { BatchedPendingDeliveryRepository } from './infrastructure/batched-pending-delivery.repository.js';
import { BatchedMessageIntake } from './infrastructure/batched-message-intake.js';
import { ConfigRetention } from './infrastructure/config-retention.js';
import { BufferedDeliveryJobs } from './infrastructure/buffered-delivery-jobs.js';
import { SqlDailyUsage } from './infrastructure/sql-daily-usage.js';
import { SqlIdempotencyStore } from './infrastructure/sql-idempotency-store.js';
import { SqlTimelineRepository } from './infrastructure/sql-timeline.repository.js';
import { SqlMessageActivity } from './infrastructure/sql-message-activity.js';
import { SqlMessageDigest } from './infrastructure/sql-message-digest.js';
import { SqlMessagePartitions } from './infrastructure/sql-message-partitions.js';
import { SqlMessageReader } from './infrastructure/sql-message-reader.js';
import { SqlMessageSearch } from './infrastructure/sql-message-search.js';
import { Trigrams } from './infrastructure/trigrams.js';
import { SqlVisitRepository } from './infrastructure/sql-visit.repository.js';
import { MessageErasure } from './infrastructure/message-erasure.js';
import { MessageSchedules } from './jobs/message-schedules.js';

@Module({
  imports: [AccountsModule],
  controllers: [ActivityController, MessagesController],
  providers: [
    DailyCaps,
    ReadMessages,
    RelayHosts,
    ShowActivity,
    DigestMessages,
    SweepDeliveries,
    RetainMessages,
    MessageSchedules,
    { provide: DailyUsage, useClass: SqlDailyUsage },
    { provide: MessageIntake, useClass: BatchedMessageIntake },
    { provide: IdempotencyStore, useClass: SqlIdempotencyStore },
    { provide: PendingDeliveryRepository, useClass: BatchedPendingDeliveryRepository },
    { provide: DeliveryJobs, useClass: BufferedDeliveryJobs },
    SqlMessageSearch,
    Trigrams,
    { provide: MessageReader, useClass: SqlMessageReader },
    { provide: MessageActivity, useClass: SqlMessageActivity },
    { provide: MessageDigest, useClass: SqlMessageDigest },
    { provide: TimelineRepository, useClass: SqlTimelineRepository },
    { provide: VisitRepository, useClass: SqlVisitRepository },
    { provide: MessagePartitions, useClass: SqlMessagePartitions },
    { provide: Retention, useClass: ConfigRetention },
    { provide: RECIPIENT_ERASURE.messages, useClass: MessageErasure },
  ],
  exports: [
    RECIPIENT_ERASURE.messages,
    DailyCaps,
    IdempotencyStore,
    MessageIntake,
    PendingDeliveryRepository,
    DeliveryJobs,
    TimelineRepository,
    VisitRepository,
  ],
})
export class MessagesModule {}
