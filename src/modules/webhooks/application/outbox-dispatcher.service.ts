import { Injectable } from '@nestjs/common';

import { newIds } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { writeBody } from '../domain/webhook-event.js';
import { UndispatchedEvents, type WaitingAccount } from './ports/undispatched-events.js';
import { WebhookDeliveryRepository, WebhookJobs } from './ports/webhook-delivery.repository.js';

const ACCOUNTS_PER_BATCH = 50;
/** Bounds how long an event waits for the batch before its own. */
const DELIVERIES_PER_BATCH = 1_000;

/** Turns outbox events into deliveries. Accounts share each batch, so that none waits for the backlog of another. */
@Injectable()
export class OutboxDispatcher {
  private lastAccountId = '';

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly events: UndispatchedEvents,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly jobs: WebhookJobs,
    private readonly clock: Clock,
  ) {}

  /** Dispatches until the outbox is empty or `stopping` is aborted. Returns the number of events. */
  async dispatch(stopping?: AbortSignal): Promise<number> {
    let dispatched = 0;
    while (!stopping?.aborted) {
      const accounts = await this.nextAccounts();
      if (accounts.length === 0) break;
      const batch = await this.transactions.run(() => this.dispatchBatch(accounts));
      if (batch.events === 0) break; // other processes are taking the rest, or have locked it
      dispatched += batch.events;
      await this.jobs.enqueue(batch.endpointIds);
    }
    return dispatched;
  }

  /** Round-robin by id: continues after the last account, and starts again from the beginning. */
  private async nextAccounts(): Promise<WaitingAccount[]> {
    const after = this.lastAccountId;
    const accounts = await this.events.listWaitingAcrossAccounts(after, ACCOUNTS_PER_BATCH);
    this.lastAccountId = (accounts.length === ACCOUNTS_PER_BATCH && accounts.at(-1)?.id) || '';
    return accounts.length === 0 && after !== '' ? this.nextAccounts() : accounts;
  }

  /** An event leaves the outbox in the transaction that adds its deliveries: a crash neither loses nor repeats it. */
  private async dispatchBatch(accounts: readonly WaitingAccount[]): Promise<{ events: number; endpointIds: string[] }> {
    const events = await this.events.takeAcrossAccounts(
      accounts.map(({ id, endpoints }) => ({ accountId: id, events: quotaOf(accounts.length, endpoints) })),
    );
    const now = this.clock.now();
    const wanted = events.flatMap((event) => {
      const { id: eventId, accountId, type } = event;
      const body = writeBody(event);
      return event.endpointIds.map((endpointId) => ({ accountId, endpointId, eventId, event: type, body }));
    });
    const ids = newIds(now, wanted.length);
    const deliveries = wanted.map((delivery, i) => ({ id: ids[i] as string, ...delivery, createdAt: now }));
    await this.deliveries.add(deliveries);
    return { events: events.length, endpointIds: [...new Set(deliveries.map(({ endpointId }) => endpointId))] };
  }
}

/** How many events to take of each of `accounts` accounts, one at least, if each event makes `endpoints` deliveries. */
const quotaOf = (accounts: number, endpoints: number): number =>
  Math.max(1, Math.floor(DELIVERIES_PER_BATCH / accounts / Math.max(1, endpoints)));
