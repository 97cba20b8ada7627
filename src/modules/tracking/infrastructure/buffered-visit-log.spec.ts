import { describe, expect, it } from '@jest/globals';
import { Counter, Registry } from 'prom-client';

import type { Log } from '../../../platform/logging/log.js';
import type { Metrics } from '../../../platform/metrics/metrics.js';
import type { RecordVisits } from '../application/record-visits.service.js';
import type { Visit } from '../domain/visit.js';
import { BufferedVisitLog } from './buffered-visit-log.js';

const visit = (messageId: string): Visit => ({
  messageId,
  type: 'clicked',
  at: new Date(),
  url: 'https://a.example',
  userAgent: null,
  ip: null,
  automated: false,
});
const unavailable = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

/** A log over this way of recording, and what it counted and logged. */
function setUp(record: (visits: readonly Visit[]) => Promise<string[]>) {
  const visits = new Counter({ name: 'v', help: 'v', labelNames: ['type', 'outcome'], registers: [new Registry()] });
  const lines: Record<string, unknown>[] = [];
  const log = new BufferedVisitLog(
    { record } as RecordVisits,
    { visits } as unknown as Metrics,
    { warn: (line: Record<string, unknown>) => lines.push(line) } as unknown as Log,
  );
  const counts = async () =>
    Object.fromEntries((await visits.get()).values.map(({ labels, value }) => [labels.outcome, value]));
  return { log, counts, lines };
}

describe('the log of visits', () => {
  it('records what waits when the service stops', async () => {
    const recorded: string[] = [];
    const { log, counts } = setUp((visits) => {
      recorded.push(...visits.map(({ messageId }) => messageId));
      return Promise.resolve(visits.map(() => 'recorded'));
    });
    for (let i = 0; i < 500; i++) log.add(visit(String(i)));
    await log.onApplicationShutdown();
    expect(recorded).toEqual(Array.from({ length: 500 }, (_, i) => String(i)));
    expect(await counts()).toEqual({ recorded: 500 });
  });

  it('waits for a database that is away', async () => {
    let isAway = true;
    const { log, counts } = setUp((visits) => {
      if (!isAway) return Promise.resolve(visits.map(() => 'recorded'));
      isAway = false;
      return Promise.reject(unavailable());
    });
    log.add(visit('a'));
    log.add(visit('b'));
    await new Promise(setImmediate); // the first try is made, and fails
    await log.onApplicationShutdown();
    expect(await counts()).toEqual({ recorded: 2 });
  });

  it('holds up no stop for a database that stays away, and says what it lost', async () => {
    let tries = 0;
    const { log, counts, lines } = setUp(() => {
      tries += 1;
      return Promise.reject(unavailable());
    });
    for (let i = 0; i < 1_000; i++) log.add(visit(String(i)));
    await log.onApplicationShutdown();
    expect(tries).toBeLessThanOrEqual(2);
    expect(await counts()).toEqual({ failed: 1_000 });
    expect(lines[0]).toMatchObject({ event: 'visits', outcome: 'failed', type: 'clicked' });
  });

  it('drops what is beyond its bound, and says so once', async () => {
    let finish = (): void => undefined;
    const held = new Promise<void>((resolve) => (finish = resolve));
    const { log, counts, lines } = setUp((visits) => held.then(() => visits.map(() => 'recorded')));
    for (let i = 0; i < 10_300; i++) log.add(visit(String(i)));
    expect(await counts()).toEqual({ dropped: 300 });
    expect(lines).toHaveLength(1);
    finish();
    await log.onApplicationShutdown();
    expect(await counts()).toEqual({ dropped: 300, recorded: 10_000 });
  });

  it('loses only the visit that the database refuses', async () => {
    const refused = Object.assign(new Error('invalid'), { code: '22P02' });
    const { log, counts } = setUp((visits) =>
      visits.some(({ messageId }) => messageId === 'bad')
        ? Promise.reject(refused)
        : Promise.resolve(visits.map(() => 'recorded')),
    );
    for (const id of ['a', 'bad', 'b']) log.add(visit(id));
    await log.onApplicationShutdown();
    expect(await counts()).toEqual({ failed: 1, recorded: 2 });
  });
});
