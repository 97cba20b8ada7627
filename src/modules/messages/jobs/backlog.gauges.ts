import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Metrics } from '../../../platform/metrics/metrics.js';
import { DELIVERY_LANES } from '../../../shared/channel.js';
import { type Backlog, PendingDeliveryRepository } from '../application/ports/pending-delivery.repository.js';

type Measure = 'pending' | 'oldestDueSeconds';

/** The backlog of all processes, by lane. A scrape reads both gauges at the same time, from one query. */
@Injectable()
export class BacklogGauges implements OnModuleInit {
  private reading: Promise<Backlog[]> | null = null;

  constructor(
    private readonly metrics: Metrics,
    private readonly deliveries: PendingDeliveryRepository,
  ) {}

  onModuleInit(): void {
    this.add('messages_pending', 'Messages that still have to be delivered, by lane', 'pending');
    this.add(
      'messages_oldest_due_seconds',
      'How long the oldest due message has waited to be claimed, by lane',
      'oldestDueSeconds',
    );
  }

  private add(name: string, help: string, measure: Measure): void {
    this.metrics.installationGauge(name, help, ['lane'], async (gauge) => {
      const backlogs = new Map((await this.read()).map((backlog) => [backlog.lane, backlog]));
      for (const lane of DELIVERY_LANES) gauge.set({ lane }, backlogs.get(lane)?.[measure] ?? 0);
    });
  }

  private read(): Promise<Backlog[]> {
    this.reading ??= this.deliveries.measureBacklogAcrossAccounts().finally(() => (this.reading = null));
    return this.reading;
  }
}
