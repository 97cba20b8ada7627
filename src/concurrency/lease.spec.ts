import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { ElapsedTime, Lease } from './lease.js';

const LENGTH_MS = 30_000;

describe('Lease', () => {
  let monotonicMs: number;
  let wallMs: number;

  beforeEach(() => {
    monotonicMs = 1_000;
    wallMs = 1_700_000_000_000;
    jest.spyOn(performance, 'now').mockImplementation(() => monotonicMs);
    jest.spyOn(Date, 'now').mockImplementation(() => wallMs);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('is safe until five seconds before its end', () => {
    const lease = new Lease(LENGTH_MS, new ElapsedTime());
    monotonicMs += 24_999;
    expect(lease.isSafe()).toBe(true);
    monotonicMs += 1;
    expect(lease.isSafe()).toBe(false);
  });

  it('is not safe after a pause of the machine that stopped the monotonic clock', () => {
    const lease = new Lease(LENGTH_MS, new ElapsedTime());
    wallMs += 45_000;
    expect(lease.isSafe()).toBe(false);
  });

  it('is not prolonged by setting the wall clock back', () => {
    const lease = new Lease(LENGTH_MS, new ElapsedTime());
    wallMs -= 3_600_000;
    monotonicMs += 25_000;
    expect(lease.isSafe()).toBe(false);
  });

  it('is prolonged from before the statement that renewed it', () => {
    const lease = new Lease(LENGTH_MS, new ElapsedTime());
    monotonicMs += 20_000;
    const since = new ElapsedTime();
    monotonicMs += 10_000;
    lease.renew(since);
    expect(lease.isSafe()).toBe(true);
    monotonicMs += 15_000;
    expect(lease.isSafe()).toBe(false);
  });

  it('is not safe once it is lost', () => {
    const lease = new Lease(LENGTH_MS, new ElapsedTime());
    lease.lose();
    expect(lease.isSafe()).toBe(false);
  });
});
