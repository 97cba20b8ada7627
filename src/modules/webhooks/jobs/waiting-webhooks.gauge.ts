import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Metrics } from '../../../platform/metrics/metrics.js';
import { WebhookDeliveryRepository } from '../application/ports/webhook-delivery.repository.js';

@Injectable()
export class WaitingWebhooksGauge implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly deliveries: WebhookDeliveryRepository,
  ) {}

  onModuleInit(): void {
    this.metrics.installationGauge(
      'webhook_deliveries_waiting',
      'Webhook deliveries that have not ended',
      [],
      async (gauge) => {
        gauge.set(await this.deliveries.countWaitingAcrossAccounts());
      },
    );
  }
}
