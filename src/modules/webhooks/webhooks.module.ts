import { Module } from '@nestjs/common';

import { Config } from '../../config/config.js';
import { AttemptDelivery } from './application/attempt-delivery.service.js';
import { RECIPIENT_ERASURE } from '../../shared/ports/recipient-erasure.js';
import { ManageWebhooks } from './application/manage-webhooks.service.js';
import { DeliveryReader } from './application/ports/delivery-reader.js';
import { UndispatchedEvents } from './application/ports/undispatched-events.js';
import {
  WebhookDeliveryRepository,
  WebhookJobs,
  WebhookRetention,
} from './application/ports/webhook-delivery.repository.js';
import { Brand, WebhookClient } from './application/ports/webhook-client.js';
import { WebhookEndpointRepository } from './application/ports/webhook-endpoint.repository.js';
import { ReadDeliveries } from './application/read-deliveries.service.js';
import { OutboxDispatcher } from './application/outbox-dispatcher.service.js';
import { SweepWebhooks } from './application/sweep-webhooks.service.js';
import { TestWebhook } from './application/test-webhook.service.js';
import { WebhookDeliveriesController } from './http/webhook-deliveries.controller.js';
import { WebhooksController } from './http/webhooks.controller.js';
import { BatchedWebhookDeliveryRepository } from './infrastructure/batched-webhook-delivery.repository.js';
import { QueuedWebhookJobs } from './infrastructure/queued-webhook-jobs.js';
import { SafeWebhookClient } from './infrastructure/safe-webhook-client.js';
import { SqlDeliveryReader } from './infrastructure/sql-delivery-reader.js';
import { SqlUndispatchedEvents } from './infrastructure/sql-undispatched-events.js';
import { SqlWebhookRetention } from './infrastructure/sql-webhook-retention.js';
import { TypeOrmWebhookEndpointRepository } from './infrastructure/typeorm-webhook-endpoint.repository.js';
import { OutboxErasure } from './infrastructure/outbox-erasure.js';
import { WebhookErasure } from './infrastructure/webhook-erasure.js';
import { OutboxPoll } from './jobs/outbox.poll.js';
import { WaitingWebhooksGauge } from './jobs/waiting-webhooks.gauge.js';
import { WebhookDeliveryProcessor } from './jobs/webhook-delivery.processor.js';
import { WebhookSchedules } from './jobs/webhook-schedules.js';

@Module({
  controllers: [WebhookDeliveriesController, WebhooksController],
  providers: [
    ManageWebhooks,
    TestWebhook,
    ReadDeliveries,
    OutboxDispatcher,
    AttemptDelivery,
    SweepWebhooks,
    WebhookDeliveryProcessor,
    OutboxPoll,
    WebhookSchedules,
    WaitingWebhooksGauge,
    { provide: Brand, useFactory: ({ brand }: Config): Brand => ({ name: brand }), inject: [Config] },
    { provide: WebhookEndpointRepository, useClass: TypeOrmWebhookEndpointRepository },
    { provide: WebhookDeliveryRepository, useClass: BatchedWebhookDeliveryRepository },
    { provide: WebhookRetention, useClass: SqlWebhookRetention },
    { provide: DeliveryReader, useClass: SqlDeliveryReader },
    { provide: UndispatchedEvents, useClass: SqlUndispatchedEvents },
    { provide: WebhookJobs, useClass: QueuedWebhookJobs },
    {
      provide: WebhookClient,
      useFactory: ({ isProduction: httpsOnly, webhookAllowPrivateNetworks: allowPrivate }: Config) =>
        new SafeWebhookClient({ httpsOnly, allowPrivate }),
      inject: [Config],
    },
    { provide: RECIPIENT_ERASURE.webhooks, useClass: WebhookErasure },
    { provide: RECIPIENT_ERASURE.outbox, useClass: OutboxErasure },
  ],
  exports: [RECIPIENT_ERASURE.webhooks, RECIPIENT_ERASURE.outbox],
})
export class WebhooksModule {}
