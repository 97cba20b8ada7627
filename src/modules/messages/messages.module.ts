import { Module } from '@nestjs/common';

import { DailyCaps } from './application/daily-caps.service.js';
import { DigestMessages } from './application/digest-messages.service.js';
import { DailyUsage } from './application/ports/daily-usage.js';
import { DeliveryAlarm } from './application/ports/delivery-alarm.js';
import { DeliveryLedger } from './application/ports/delivery-ledger.js';
import { EarlierRequests } from './application/ports/earlier-requests.js';
import { EventLedger } from './application/ports/event-ledger.js';
import { MessageActivity } from './application/ports/message-activity.js';
import { MessageDigest } from './application/ports/message-digest.js';
import { MessageIntake } from './application/ports/message-intake.js';
import { MessagePartitions } from './application/ports/message-partitions.js';
import { MessageReader } from './application/ports/message-reader.js';
import { Retention } from './application/ports/retention.js';
import { VisitLedger } from './application/ports/visit-ledger.js';
import { ReadMessages } from './application/read-messages.service.js';
import { RetainMessages } from './application/retain-messages.service.js';
import { ShowActivity } from './application/show-activity.service.js';
import { SweepDeliveries } from './application/sweep-deliveries.service.js';
import { ActivityController } from './http/activity.controller.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { RelayHosts } from './application/relay-hosts.service.js';
import { MessagesController } from './http/messages.controller.js';
import { BatchedDeliveryLedger } from './infrastructure/batched-delivery-ledger.js';
import { BatchedMessageIntake } from './infrastructure/batched-message-intake.js';
import { ConfigRetention } from './infrastructure/config-retention.js';
import { QueuedDeliveryAlarm } from './infrastructure/queued-delivery-alarm.js';
import { SqlDailyUsage } from './infrastructure/sql-daily-usage.js';
import { SqlEarlierRequests } from './infrastructure/sql-earlier-requests.js';
import { SqlEventLedger } from './infrastructure/sql-event-ledger.js';
import { SqlMessageActivity } from './infrastructure/sql-message-activity.js';
import { SqlMessageDigest } from './infrastructure/sql-message-digest.js';
import { SqlMessagePartitions } from './infrastructure/sql-message-partitions.js';
import { SqlMessageReader } from './infrastructure/sql-message-reader.js';
import { SqlMessageSearch } from './infrastructure/sql-message-search.js';
import { Trigrams } from './infrastructure/trigrams.js';
import { SqlVisitLedger } from './infrastructure/sql-visit-ledger.js';
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
    { provide: EarlierRequests, useClass: SqlEarlierRequests },
    { provide: DeliveryLedger, useClass: BatchedDeliveryLedger },
    { provide: DeliveryAlarm, useClass: QueuedDeliveryAlarm },
    SqlMessageSearch,
    Trigrams,
    { provide: MessageReader, useClass: SqlMessageReader },
    { provide: MessageActivity, useClass: SqlMessageActivity },
    { provide: MessageDigest, useClass: SqlMessageDigest },
    { provide: EventLedger, useClass: SqlEventLedger },
    { provide: VisitLedger, useClass: SqlVisitLedger },
    { provide: MessagePartitions, useClass: SqlMessagePartitions },
    { provide: Retention, useClass: ConfigRetention },
  ],
  exports: [DailyCaps, EarlierRequests, MessageIntake, DeliveryLedger, DeliveryAlarm, EventLedger, VisitLedger],
})
export class MessagesModule {}
