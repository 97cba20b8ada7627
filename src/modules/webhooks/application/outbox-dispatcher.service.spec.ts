import { describe, expect, it } from '@jest/globals';

import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import type { NewDelivery } from '../domain/webhook-delivery.js';
import { OutboxDispatcher } from './outbox-dispatcher.service.js';
import {
  type Quota,
  type UndispatchedEvent,
  UndispatchedEvents,
  type WaitingAccount,
} from './ports/undispatched-events.js';
import { type WebhookDeliveryRepository, WebhookJobs } from './ports/webhook-delivery.repository.js';

const NOW = new Date('2026-11-21T10:00:00Z');

class FixedClock extends Clock {
  now(): Date {
    return NOW;
  }
}

class DirectTransactions extends TransactionRunner {
  isRunning = false;

  async run<T>(work: () => Promise<T>): Promise<T> {
    this.isRunning = true;
    try {
      return await work();
    } finally {
      this.isRunning = false;
    }
  }

  runInLane<T>(_accountId: string, work: () => Promise<T>): Promise<T> {
    return this.run(work);
  }
}

/** An outbox in memory: the number of waiting events and endpoints per account. */
class FakeOutbox extends UndispatchedEvents {
  readonly quotas: Quota[][] = [];
  isTakenByOthers = false;
  private nextId = 0;

  constructor(
    private readonly waiting: Map<string, number>,
    private readonly endpoints: (accountId: string) => string[],
  ) {
    super();
  }

  listWaitingAcrossAccounts(afterId: string, limit: number): Promise<WaitingAccount[]> {
    const ids = [...this.waiting.keys()].filter((id) => id > afterId).sort();
    return Promise.resolve(ids.slice(0, limit).map((id) => ({ id, endpoints: this.endpoints(id).length })));
  }

  takeAcrossAccounts(quotas: readonly Quota[]): Promise<UndispatchedEvent[]> {
    this.quotas.push([...quotas]);
    if (this.isTakenByOthers) return Promise.resolve([]);
    return Promise.resolve(quotas.flatMap((quota) => this.take(quota)));
  }

  private take({ accountId, events }: Quota): UndispatchedEvent[] {
    const left = this.waiting.get(accountId) ?? 0;
    const taken = Math.min(left, events);
    if (left === taken) this.waiting.delete(accountId);
    else this.waiting.set(accountId, left - taken);
    return Array.from({ length: taken }, () => ({
      id: `event ${(this.nextId += 1)}`,
      type: 'contact.bounced' as const,
      accountId,
      isTest: false,
      occurredAt: NOW,
      data: {},
      endpointIds: this.endpoints(accountId),
    }));
  }
}

class FakeJobs extends WebhookJobs {
  readonly enqueued: (readonly string[])[] = [];
  readonly inTransaction: boolean[] = [];

  constructor(private readonly transactions: DirectTransactions) {
    super();
  }

  enqueue(endpointIds: readonly string[]): Promise<void> {
    this.enqueued.push(endpointIds);
    this.inTransaction.push(this.transactions.isRunning);
    return Promise.resolve();
  }
}

function setUp(waiting: [string, number][], endpoints: (accountId: string) => string[]) {
  const transactions = new DirectTransactions();
  const outbox = new FakeOutbox(new Map(waiting), endpoints);
  const jobs = new FakeJobs(transactions);
  const added: NewDelivery[] = [];
  const deliveries = {
    add: (batch: readonly NewDelivery[]) => Promise.resolve(void added.push(...batch)),
  } as WebhookDeliveryRepository;
  const dispatcher = new OutboxDispatcher(transactions, outbox, deliveries, jobs, new FixedClock());
  return { dispatcher, outbox, jobs, added };
}

describe('OutboxDispatcher', () => {
  it('adds a delivery per event and subscribed endpoint, and enqueues each endpoint once', async () => {
    const { dispatcher, added, jobs } = setUp([['a', 3]], () => ['e1', 'e2']);
    expect(await dispatcher.dispatch()).toBe(3);
    expect(added.map(({ eventId, endpointId }) => `${eventId} ${endpointId}`)).toEqual(
      ['event 1', 'event 2', 'event 3'].flatMap((event) => [`${event} e1`, `${event} e2`]),
    );
    expect(new Set(added.map(({ id }) => id)).size).toBe(6);
    expect(jobs.enqueued).toEqual([['e1', 'e2']]);
  });

  it('enqueues jobs only after the commit', async () => {
    const { dispatcher, jobs } = setUp([['a', 1]], () => ['e1']);
    await dispatcher.dispatch();
    expect(jobs.inTransaction).toEqual([false]);
  });

  it('removes events without subscribers', async () => {
    const { dispatcher, added } = setUp([['a', 2]], () => []);
    expect(await dispatcher.dispatch()).toBe(2);
    expect(added).toEqual([]);
  });

  it.each([
    ['one account without endpoints', 1, 0, 1_000],
    ['one account with one endpoint', 1, 1, 1_000],
    ['two accounts with five endpoints each', 2, 5, 100],
    ['fifty accounts with one endpoint each', 50, 1, 20],
    ['fifty accounts with fifty endpoints each', 50, 50, 1],
  ])('divides the batch between %s', async (_, accounts, endpoints, events) => {
    const ids = Array.from({ length: accounts }, (__, i): [string, number] => [`a${String(i).padStart(2, '0')}`, 1]);
    const { dispatcher, outbox } = setUp(ids, () => Array.from({ length: endpoints }, (__, i) => `e${i}`));
    await dispatcher.dispatch();
    expect(outbox.quotas[0]).toHaveLength(accounts);
    expect(outbox.quotas[0]?.every((quota) => quota.events === events)).toBe(true);
  });

  it('serves accounts round-robin, fifty per batch, until the outbox is empty', async () => {
    const waiting = Array.from({ length: 120 }, (_, i): [string, number] => [`a${String(i).padStart(3, '0')}`, 1]);
    const { dispatcher, outbox } = setUp(waiting, () => ['e']);
    expect(await dispatcher.dispatch()).toBe(120);
    expect(outbox.quotas.map((quotas) => quotas.length)).toEqual([50, 50, 20]);
    expect(new Set(outbox.quotas.flat().map(({ accountId }) => accountId)).size).toBe(120);
  });

  it('lets an account with one event into the first batch beside a backlog', async () => {
    const { dispatcher, added, jobs } = setUp(
      [
        ['a', 5_000],
        ['b', 1],
      ],
      (accountId) => [`endpoint of ${accountId}`],
    );
    expect(await dispatcher.dispatch()).toBe(5_001);
    expect(jobs.enqueued[0]).toContain('endpoint of b');
    expect(added).toHaveLength(5_001);
  });

  it('stops when other processes are taking what is left', async () => {
    const { dispatcher, outbox, jobs } = setUp([['a', 3]], () => ['e']);
    outbox.isTakenByOthers = true;
    expect(await dispatcher.dispatch()).toBe(0);
    expect(jobs.enqueued).toEqual([]);
  });

  it('dispatches nothing once it is stopped', async () => {
    const { dispatcher, outbox } = setUp([['a', 3]], () => ['e']);
    expect(await dispatcher.dispatch(AbortSignal.abort())).toBe(0);
    expect(outbox.quotas).toEqual([]);
  });
});
