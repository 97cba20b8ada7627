import { Injectable } from '@nestjs/common';

import { newIds } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { writeBody } from '../domain/webhook-event.js';
import { RelayedEvents } from './ports/relayed-events.js';
import { WebhookAlarm } from './ports/webhook-alarm.js';
import { WebhookLedger } from './ports/webhook-ledger.js';

const BATCH = 1_000;

/** Turns the events of the outbox into deliveries. */
@Injectable()
export class RelayEvents {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly events: RelayedEvents,
    private readonly ledger: WebhookLedger,
    private readonly alarm: WebhookAlarm,
    private readonly clock: Clock,
  ) {}

  /** Until none is left, or `stopping` says so. How many events it took. */
  async relay(stopping?: AbortSignal): Promise<number> {
    let taken = 0;
    while (!stopping?.aborted && (await this.events.anyAcrossAccounts())) {
      const batch = await this.transactions.run(() => this.relayBatch());
      if (batch.taken === 0) break; // others are at it
      taken += batch.taken;
      await this.alarm.ring(batch.endpointIds);
    }
    return taken;
  }

  /** An event leaves the outbox with the transaction that writes its deliveries, so that a crash loses neither and repeats none. */
  private async relayBatch(): Promise<{ taken: number; endpointIds: string[] }> {
    const events = await this.events.takeAcrossAccounts(BATCH);
    const now = this.clock.now();
    const wanted = events.flatMap((event) => {
      const { id: eventId, accountId, type } = event;
      const body = writeBody(event);
      return event.endpointIds.map((endpointId) => ({ accountId, endpointId, eventId, event: type, body }));
    });
    const ids = newIds(now, wanted.length);
    const deliveries = wanted.map((delivery, i) => ({ id: ids[i] as string, ...delivery, createdAt: now }));
    await this.ledger.add(deliveries);
    return { taken: events.length, endpointIds: [...new Set(deliveries.map(({ endpointId }) => endpointId))] };
  }
}
