import { describe, expect, it } from '@jest/globals';
import { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import type { ReportedVisit, TimelineRepository } from '../../messages/index.js';
import type { Visit } from '../domain/visit.js';
import { VisitLog } from './ports/visit-log.js';
import { RecordVisits } from './record-visits.service.js';

const visit = (messageId: string): Visit => ({
  messageId,
  type: 'clicked',
  at: new Date(),
  url: 'https://a.example',
  userAgent: null,
  ip: null,
  automated: false,
});
const UNAVAILABLE = new Error('connect ECONNREFUSED');
const INVALID = new Error('invalid input syntax');

class FakeFaults extends DatabaseFaults {
  isRowFault = (error: unknown) => error === INVALID;
  isTimedOut = () => false;
  isLockTimeout = () => false;
  isOutOfReach = (error: unknown) => error === UNAVAILABLE;
  isUnavailable = (error: unknown) => error === UNAVAILABLE;
}

/** Keeps what was counted and logged. */
class FakeLog extends VisitLog {
  readonly counts: Record<string, number> = {};
  readonly lines: object[] = [];

  count(_visit: Visit, outcome: string): void {
    this.counts[outcome] = (this.counts[outcome] ?? 0) + 1;
  }

  warnFull(waiting: number): void {
    this.lines.push({ outcome: 'dropped', waiting });
  }

  warnFailed({ messageId }: Visit, { message }: Error): void {
    this.lines.push({ outcome: 'failed', messageId, message });
  }
}

type RecordAll = (visits: readonly ReportedVisit[]) => Promise<('recorded' | 'locked')[]>;

const recorded: RecordAll = (visits) => Promise.resolve(visits.map(() => 'recorded'));

function setUp(recordVisitsAcrossAccounts: RecordAll) {
  const log = new FakeLog();
  const timelines = { recordVisitsAcrossAccounts } as TimelineRepository;
  return { log, service: new RecordVisits(timelines, new FakeFaults(), log) };
}

describe('RecordVisits', () => {
  it('records the waiting visits when the service stops', async () => {
    const ids: string[] = [];
    const { log, service } = setUp((visits) => {
      ids.push(...visits.map(({ messageId }) => messageId));
      return recorded(visits);
    });
    for (let i = 0; i < 500; i++) service.add(visit(String(i)));
    await service.onApplicationShutdown();
    expect(ids).toEqual(Array.from({ length: 500 }, (_, i) => String(i)));
    expect(log.counts).toEqual({ recorded: 500 });
  });

  it('gives equal visits different ids', async () => {
    const ids = new Set<string>();
    const { service } = setUp((visits) => {
      for (const { id } of visits) ids.add(id);
      return recorded(visits);
    });
    for (let i = 0; i < 3; i++) service.add(visit('a'));
    await service.onApplicationShutdown();
    expect(ids.size).toBe(3);
  });

  it('waits for a database that is away', async () => {
    let isAway = true;
    const { log, service } = setUp((visits) => {
      if (!isAway) return recorded(visits);
      isAway = false;
      return Promise.reject(UNAVAILABLE);
    });
    service.add(visit('a'));
    service.add(visit('b'));
    await new Promise(setImmediate); // the first try is made, and fails
    await service.onApplicationShutdown();
    expect(log.counts).toEqual({ recorded: 2 });
  });

  it('does not hold up a shutdown while the database is away, and logs what it lost', async () => {
    let tries = 0;
    const { log, service } = setUp(() => {
      tries += 1;
      return Promise.reject(UNAVAILABLE);
    });
    for (let i = 0; i < 1_000; i++) service.add(visit(String(i)));
    await service.onApplicationShutdown();
    expect(tries).toBeLessThanOrEqual(2);
    expect(log.counts).toEqual({ failed: 1_000 });
    expect(log.lines[0]).toMatchObject({ outcome: 'failed' });
  });

  it('logs the visits of a message that is still locked when the service stops, and records the others', async () => {
    const { log, service } = setUp((visits) =>
      Promise.resolve(visits.map(({ messageId }) => (messageId === 'busy' ? 'locked' : 'recorded'))),
    );
    for (const id of ['busy', 'a', 'b']) service.add(visit(id));
    await new Promise(setImmediate); // the first try is made
    await service.onApplicationShutdown();
    expect(log.counts).toEqual({ failed: 1, recorded: 2 });
    expect(log.lines).toMatchObject([{ outcome: 'failed', messageId: 'busy' }]);
  });

  it('drops visits beyond its bound, and logs that once', async () => {
    let finish = (): void => undefined;
    const held = new Promise<void>((resolve) => (finish = resolve));
    const { log, service } = setUp((visits) => held.then(() => recorded(visits)));
    for (let i = 0; i < 10_300; i++) service.add(visit(String(i)));
    expect(log.counts).toEqual({ dropped: 300 });
    expect(log.lines).toEqual([{ outcome: 'dropped', waiting: 10_000 }]);
    finish();
    await service.onApplicationShutdown();
    expect(log.counts).toEqual({ dropped: 300, recorded: 10_000 });
  });

  it('loses only the visit that the database refuses', async () => {
    const { log, service } = setUp((visits) =>
      visits.some(({ messageId }) => messageId === 'bad') ? Promise.reject(INVALID) : recorded(visits),
    );
    for (const id of ['a', 'bad', 'b']) service.add(visit(id));
    await service.onApplicationShutdown();
    expect(log.counts).toEqual({ failed: 1, recorded: 2 });
    expect(log.lines).toEqual([{ outcome: 'failed', messageId: 'bad', message: INVALID.message }]);
  });
});
