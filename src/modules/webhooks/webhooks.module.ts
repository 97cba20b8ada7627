import { Module } from '@nestjs/common';

import { DeliverWebhooks } from './application/deliver-webhooks.service.js';
import { MakeAttempt } from './application/make-attempt.service.js';
import { ManageWebhooks } from './application/manage-webhooks.service.js';
import { Brand } from './application/ports/brand.js';
import { DeliveryReader } from './application/ports/delivery-reader.js';
import { RelayedEvents } from './application/ports/relayed-events.js';
import { WebhookAlarm } from './application/ports/webhook-alarm.js';
import { WebhookClient } from './application/ports/webhook-client.js';
import { WebhookEndpointRepository } from './application/ports/webhook-endpoint.repository.js';
import { WebhookLedger } from './application/ports/webhook-ledger.js';
import { WebhookRetention } from './application/ports/webhook-retention.js';
import { ReadDeliveries } from './application/read-deliveries.service.js';
import { RelayEvents } from './application/relay-events.service.js';
import { SweepWebhooks } from './application/sweep-webhooks.service.js';
import { TestWebhook } from './application/test-webhook.service.js';
import { WebhookDeliveriesController } from './http/webhook-deliveries.controller.js';
import { WebhooksController } from './http/webhooks.controller.js';
import { BatchedWebhookLedger } from './infrastructure/batched-webhook-ledger.js';
import { ConfigBrand } from './infrastructure/config-brand.js';
import { QueuedWebhookAlarm } from './infrastructure/queued-webhook-alarm.js';
import { SafeWebhookClient } from './infrastructure/safe-webhook-client.js';
import { SqlDeliveryReader } from './infrastructure/sql-delivery-reader.js';
import { SqlRelayedEvents } from './infrastructure/sql-relayed-events.js';
import { SqlWebhookRetention } from './infrastructure/sql-webhook-retention.js';
import { TypeOrmWebhookEndpointRepository } from './infrastructure/typeorm-webhook-endpoint.repository.js';
import { RelayEventsPoll } from './jobs/relay-events.poll.js';
import { WaitingWebhooksGauge } from './jobs/waiting-webhooks.gauge.js';
import { WebhookDeliveryProcessor } from './jobs/webhook-delivery.processor.js';
import { WebhookSchedules } from './jobs/webhook-schedules.js';

@Module({
  controllers: [WebhookDeliveriesController, WebhooksController],
  providers: [
    ManageWebhooks,
    MakeAttempt,
    TestWebhook,
    ReadDeliveries,
    RelayEvents,
    DeliverWebhooks,
    SweepWebhooks,
    WebhookDeliveryProcessor,
    RelayEventsPoll,
    WebhookSchedules,
    WaitingWebhooksGauge,
    { provide: Brand, useClass: ConfigBrand },
    { provide: WebhookEndpointRepository, useClass: TypeOrmWebhookEndpointRepository },
    { provide: WebhookLedger, useClass: BatchedWebhookLedger },
    { provide: WebhookRetention, useClass: SqlWebhookRetention },
    { provide: DeliveryReader, useClass: SqlDeliveryReader },
    { provide: RelayedEvents, useClass: SqlRelayedEvents },
    { provide: WebhookAlarm, useClass: QueuedWebhookAlarm },
    { provide: WebhookClient, useClass: SafeWebhookClient },
  ],
})
export class WebhooksModule {}
