import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';

import { DatabaseClock } from './database-clock.js';
import type { Database } from './database.js';

const AHEAD_MS = 60_000;

describe('DatabaseClock', () => {
  let isDown: boolean;
  let reads: number;
  let clock: DatabaseClock | undefined;

  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    isDown = false;
    reads = 0;
  });
  afterEach(() => {
    clock?.onApplicationShutdown();
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const start = async (aheadMs = AHEAD_MS) => {
    const base = Date.now() - performance.now() + aheadMs;
    const readClockMs = () => {
      reads += 1;
      return isDown ? Promise.reject(new Error('down')) : Promise.resolve(base + performance.now());
    };
    clock = await DatabaseClock.start({ readClockMs } as unknown as Database);
    return { clock, databaseNow: () => base + performance.now() };
  };

  it('returns the time of the database, and reads it every ten seconds', async () => {
    const { clock, databaseNow } = await start();
    expect(clock.now().getTime()).toBeCloseTo(databaseNow(), -1);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(reads).toBe(4);
    expect(clock.now().getTime()).toBeCloseTo(databaseNow(), -1);
  });

  it('continues while the database is out of reach', async () => {
    const { clock, databaseNow } = await start();
    isDown = true;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(clock.now().getTime()).toBeCloseTo(databaseNow(), -1);
  });

  it('ignores the wall clock of the host, but reads the time again after it has jumped', async () => {
    const { clock, databaseNow } = await start();
    jest.setSystemTime(Date.now() + 3_600_000);
    await clock.catchUp();
    expect(reads).toBe(2);
    expect(clock.now().getTime()).toBeCloseTo(databaseNow(), -1);
    await clock.catchUp();
    expect(reads).toBe(2);
  });

  it('does not start without the database', async () => {
    isDown = true;
    await expect(start()).rejects.toThrow('down');
  });
});
