import { describe, expect, it } from '@jest/globals';

import type { Database } from '../../../../platform/database/database.js';
import { UsageCounters } from './usage-counters.js';

describe('UsageCounters', () => {
  it('inserts the counters of a new day although those of the day before are being inserted', async () => {
    const inserted: unknown[] = [];
    const pending: (() => void)[] = [];
    const database = {
      query: (_text: string, values: unknown[]) => {
        inserted.push(values);
        return new Promise<void>((resolve) => pending.push(resolve));
      },
    } as unknown as Database;
    const counters = new UsageCounters(database);
    const start = (subject: string, day: string) => {
      const started = counters.start([subject], day);
      return async () => {
        pending.shift()?.();
        await started;
      };
    };
    const [before, after] = [start('a', '2026-03-01'), start('b', '2026-03-02')];
    await before();
    await after();
    await start('a', '2026-03-02')();
    await start('a', '2026-03-02')();
    expect(inserted).toEqual([
      [['a'], '2026-03-01'],
      [['b'], '2026-03-02'],
      [['a'], '2026-03-02'],
    ]);
  });
});
