import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';

import { DatabaseClock } from './database-clock.js';
import type { Database } from './database.js';

const AHEAD_MS = 60_000;
// eslint-disable-next-line no-restricted-syntax -- the timers are fake
const passed = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('DatabaseClock', () => {
  let isDown: boolean;
  let reads: number;
  /** The delays on the way to the database, and back. */
  let delaysMs: [there: number, back: number];
  let warn: jest.SpiedFunction<Logger['warn']>;
  let clock: DatabaseClock | undefined;

  beforeEach(() => {
    jest.useFakeTimers();
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    delaysMs = [0, 0];
    isDown = false;
    reads = 0;
  });
  afterEach(() => {
    clock?.onApplicationShutdown();
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const start = async (aheadMs = AHEAD_MS) => {
    let base = Date.now() - performance.now() + aheadMs;
    const readClockMs = async () => {
      reads += 1;
      const [there, back] = delaysMs;
      if (isDown) throw new Error('down');
      if (there > 0) await passed(there);
      const ms = base + performance.now();
      if (back > 0) await passed(back);
      return ms;
    };
    const starting = DatabaseClock.start({ readClockMs } as unknown as Database);
    starting.catch(() => undefined); // awaited below
    await jest.advanceTimersByTimeAsync(3 * (delaysMs[0] + delaysMs[1]));
    clock = await starting;
    const step = (ms: number) => (base += ms);
    return { clock, step, databaseNow: () => base + performance.now() };
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

  it.each([-60_000, 60_000])(
    'is not steady for a while after the clock of the database was set by %d ms',
    async (ms) => {
      const { clock, step, databaseNow } = await start();
      expect(clock.steadyNow()?.getTime()).toBeCloseTo(databaseNow(), -1);
      step(ms);
      await jest.advanceTimersByTimeAsync(10_000);
      expect(clock.steadyNow()).toBeNull();
      await jest.advanceTimersByTimeAsync(44_000);
      expect(clock.steadyNow()).toBeNull();
      await jest.advanceTimersByTimeAsync(2_000);
      expect(clock.steadyNow()?.getTime()).toBeCloseTo(databaseNow(), -1);
    },
  );

  it.each([-60_000, 60_000])(
    'notices, when each answer takes a second, that the clock was set by %d ms',
    async (ms) => {
      const { clock, step, databaseNow } = await start();
      delaysMs = [500, 500];
      step(ms);
      await jest.advanceTimersByTimeAsync(11_000);
      expect(clock.now().getTime()).toBeCloseTo(databaseNow(), -1);
      expect(clock.steadyNow()).toBeNull();
    },
  );

  it('is not misled by answers that are late, but shows the time', async () => {
    const { clock, databaseNow } = await start();
    delaysMs = [0, 1_000];
    await jest.advanceTimersByTimeAsync(100_000);
    expect(clock.now().getTime()).toBeCloseTo(databaseNow(), -1);
    expect(warn).not.toHaveBeenCalled();
  });

  it('warns once while it is known imprecisely, and takes the first precise answer', async () => {
    delaysMs = [0, 1_000];
    const { clock, databaseNow } = await start();
    expect(reads).toBe(3);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(warn.mock.calls).toEqual([['The time of the database is known to 500 ms only, as it answers slowly']]);
    delaysMs = [0, 0];
    await jest.advanceTimersByTimeAsync(10_000);
    expect(clock.now().getTime()).toBeCloseTo(databaseNow(), -1);
  });

  it('does not start without the database', async () => {
    isDown = true;
    await expect(start()).rejects.toThrow('down');
  });
});
