import { describe, expect, it } from '@jest/globals';

import { Clock } from '../../../shared/ports/clock.js';
import { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import type { AccountEvent, StoredEvent } from './account-event.js';
import type { AppliedEvent, ApplyEvents } from './apply-events.service.js';
import { type Occurrence, type SeenReport, SeenReports } from './ports/seen-reports.js';
import type { KeptEvent, UnmatchedEvents } from './ports/unmatched-events.js';
import { StoreReports } from './store-reports.service.js';

const NOW = new Date('2026-11-21T10:00:00Z');

class FixedClock extends Clock {
  now(): Date {
    return NOW;
  }
}

class DirectTransactions extends TransactionRunner {
  readonly isRunning = false;

  run<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  runInLane<T>(_accountId: string, work: () => Promise<T>): Promise<T> {
    return work();
  }
}

class NoFaults extends DatabaseFaults {
  isRowFault = () => false;
  isTimedOut = () => false;
  isLockTimeout = () => false;
  isOutOfReach = () => false;
  isUnavailable = () => false;
}

class FakeSeenReports extends SeenReports {
  private readonly meanings = new Map<string, string>();

  add(reports: readonly SeenReport[]): Promise<Occurrence[]> {
    return Promise.resolve(
      reports.map(({ key, content }) => {
        const earlier = this.meanings.get(key);
        this.meanings.set(key, earlier ?? content);
        if (earlier === undefined) return 'first';
        return earlier === content ? 'repeated' : 'misused';
      }),
    );
  }

  expireAcrossAccounts(): Promise<void> {
    return Promise.resolve();
  }
}

const event = (id: string, accountId = 'a') =>
  ({ id, accountId, provider: 'ses', type: 'delivered', data: {} }) as unknown as AccountEvent;
const events = (count: number, accountId = 'a') =>
  Array.from({ length: count }, (_, i) => event(`${accountId}${i}`, accountId));

/** The service over this way of applying events; by default each is recorded. */
function setUp(apply = (): AppliedEvent => ({ outcome: 'recorded', mayMatch: false })) {
  const batches: (readonly AccountEvent[])[] = [];
  const kept: KeptEvent[] = [];
  const stored: StoredEvent[] = [];
  const applyEvents = {
    apply: (batch: readonly AccountEvent[]) => {
      batches.push(batch);
      return new Promise(setImmediate).then(() => batch.map(apply));
    },
  };
  const unmatched = { keep: (batch: readonly KeptEvent[]) => Promise.resolve(void kept.push(...batch)) };
  const service = new StoreReports(
    new DirectTransactions(),
    applyEvents as unknown as ApplyEvents,
    unmatched as unknown as UnmatchedEvents,
    new FakeSeenReports(),
    new FixedClock(),
    new NoFaults(),
  );
  const store = (accountId: string, toStore: readonly AccountEvent[], singleUseToken: string | null = null) =>
    service.store({ accountId, events: toStore, singleUseToken }, (batch) => stored.push(...batch));
  return { store, batches, kept, stored };
}

describe('StoreReports', () => {
  it('reports each event with its outcome once it is stored', async () => {
    const { store, stored } = setUp();
    const report = events(2);
    await store('a', report);
    expect(stored).toEqual(report.map((each) => ({ event: each, outcome: 'recorded' })));
  });

  it('stores concurrent reports of an account in one batch, and those of another account in its own', async () => {
    const { store, batches } = setUp();
    await Promise.all([store('a', [event('1')]), store('a', [event('2')]), store('b', [event('3', 'b')])]);
    expect(batches.map((batch) => batch.map(({ id }) => id))).toEqual([['1', '2'], ['3']]);
  });

  it('stores a large report in parts, and a smaller one in between', async () => {
    const { store, batches } = setUp();
    const large = store('a', events(2_500));
    await new Promise(setImmediate);
    await Promise.all([large, store('a', [event('small')])]);
    expect(batches.map(({ length }) => length)).toEqual([1_000, 1, 1_000, 500]);
  });

  it('reports the parts that were stored before one fails', async () => {
    let applied = 0;
    const { store, stored } = setUp(() => {
      applied += 1;
      if (applied > 1_000) throw new Error('The database is away');
      return { outcome: 'recorded', mayMatch: false };
    });
    await expect(store('a', events(1_500))).rejects.toThrow('The database is away');
    expect(stored).toHaveLength(1_000);
  });

  it.each(['unmatched', 'unknown'] as const)('keeps %s events', async (outcome) => {
    const { store, kept } = setUp(() => ({ outcome, mayMatch: true }));
    await store('a', [event('1')]);
    expect(kept).toMatchObject([{ id: '1', mayMatch: true }]);
  });

  it('accepts a token again for the same events, and refuses it for others', async () => {
    const { store, batches } = setUp();
    await store('a', [event('1')], 'token');
    await store('a', [event('1')], 'token');
    await expect(store('a', [event('2')], 'token')).rejects.toMatchObject({
      kind: 'forbidden',
      message: expect.stringContaining('token'),
    });
    expect(batches.flat().map(({ id }) => id)).toEqual(['1', '1']);
  });

  it('refuses a misused token without failing the reports of the same batch', async () => {
    const { store, stored } = setUp();
    await store('a', [event('1')], 'token');
    const results = await Promise.allSettled([store('a', [event('2')], 'token'), store('a', [event('3')])]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(stored.map(({ event: { id } }) => id)).toEqual(['1', '3']);
  });

  it('stores an empty report', async () => {
    const { store, stored } = setUp();
    await store('a', []);
    expect(stored).toEqual([]);
  });
});
