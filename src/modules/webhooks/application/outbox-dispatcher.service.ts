import { Injectable } from '@nestjs/common';

import { newIds } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { shareOf } from '../domain/relay-share.js';
import { writeBody } from '../domain/webhook-event.js';
import { UndispatchedEvents, type WaitingAccount } from './ports/undispatched-events.js';
import { WebhookJobs } from './ports/webhook-jobs.js';
import { WebhookDeliveryRepository } from './ports/webhook-delivery.repository.js';

const ACCOUNTS_PER_TURN = 50;

/** Turns the events of the outbox into deliveries. Accounts take turns, so that none waits for all the events of another. */
@Injectable()
export class OutboxDispatcher {
  private lastServed = '';

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly events: UndispatchedEvents,
    private readonly ledger: WebhookDeliveryRepository,
    private readonly alarm: WebhookJobs,
    private readonly clock: Clock,
  ) {}

  /** Until none is left, or `stopping` says so. How many events it took. */
  async relay(stopping?: AbortSignal): Promise<number> {
    let taken = 0;
    while (!stopping?.aborted) {
      const accounts = await this.nextAccounts();
      if (accounts.length === 0) break;
      const batch = await this.transactions.run(() => this.relayBatch(accounts));
      if (batch.taken === 0) break; // others are at it
      taken += batch.taken;
      await this.alarm.ring(batch.endpointIds);
    }
    return taken;
  }

  /** Those after the ones that were served last, and from the beginning when there are no more. */
  private async nextAccounts(): Promise<WaitingAccount[]> {
    const after = this.lastServed;
    const accounts = await this.events.waitingAccountsAcrossAccounts(after, ACCOUNTS_PER_TURN);
    this.lastServed = (accounts.length === ACCOUNTS_PER_TURN && accounts.at(-1)?.id) || '';
    return accounts.length === 0 && after !== '' ? this.nextAccounts() : accounts;
  }

  /** An event leaves the outbox with the transaction that writes its deliveries, so that a crash loses neither and repeats none. */
  private async relayBatch(accounts: readonly WaitingAccount[]): Promise<{ taken: number; endpointIds: string[] }> {
    const events = await this.events.takeAcrossAccounts(
      accounts.map(({ id, endpoints }) => ({ accountId: id, events: shareOf(accounts.length, endpoints) })),
    );
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
