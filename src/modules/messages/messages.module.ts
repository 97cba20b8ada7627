import { Module } from '@nestjs/common';

import { DailyCaps } from './application/daily-caps.service.js';
import { GetMessage } from './application/get-message.service.js';
import { DailyUsage } from './application/ports/daily-usage.js';
import { DeliveryAlarm } from './application/ports/delivery-alarm.js';
import { DeliveryLedger } from './application/ports/delivery-ledger.js';
import { MessageIntake } from './application/ports/message-intake.js';
import { MessagePartitions } from './application/ports/message-partitions.js';
import { MessageReader } from './application/ports/message-reader.js';
import { Retention } from './application/ports/retention.js';
import { RetainMessages } from './application/retain-messages.service.js';
import { SweepDeliveries } from './application/sweep-deliveries.service.js';
import { MessagesController } from './http/messages.controller.js';
import { BatchedDeliveryLedger } from './infrastructure/batched-delivery-ledger.js';
import { BatchedMessageIntake } from './infrastructure/batched-message-intake.js';
import { ConfigRetention } from './infrastructure/config-retention.js';
import { QueuedDeliveryAlarm } from './infrastructure/queued-delivery-alarm.js';
import { SqlDailyUsage } from './infrastructure/sql-daily-usage.js';
import { SqlMessagePartitions } from './infrastructure/sql-message-partitions.js';
import { TypeOrmMessageReader } from './infrastructure/typeorm-message-reader.js';
import { MessageSchedules } from './jobs/message-schedules.js';

@Module({
  controllers: [MessagesController],
  providers: [
    DailyCaps,
    GetMessage,
    SweepDeliveries,
    RetainMessages,
    MessageSchedules,
    { provide: DailyUsage, useClass: SqlDailyUsage },
    { provide: MessageIntake, useClass: BatchedMessageIntake },
    { provide: DeliveryLedger, useClass: BatchedDeliveryLedger },
    { provide: DeliveryAlarm, useClass: QueuedDeliveryAlarm },
    { provide: MessageReader, useClass: TypeOrmMessageReader },
    { provide: MessagePartitions, useClass: SqlMessagePartitions },
    { provide: Retention, useClass: ConfigRetention },
  ],
  exports: [DailyCaps, MessageIntake, DeliveryLedger, DeliveryAlarm],
})
export class MessagesModule {}
