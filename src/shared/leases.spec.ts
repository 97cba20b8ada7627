import { describe, expect, it } from '@jest/globals';

import type { Lease } from './lease.js';
import { Leases } from './leases.js';
import { Clock } from './ports/clock.js';

const LENGTH_MS = 30_000;
const HOUR_MS = 3_600_000;
const LEASE_END = new Date(HOUR_MS + LENGTH_MS);

interface Row {
  id: string;
  lease: Lease;
}

/** The machine was paused for an hour; the clock notices when it catches up. */
class ClockBehind extends Clock {
  private ms = 0;

  now(): Date {
    return new Date(this.ms);
  }

  override async catchUp(): Promise<void> {
    await Promise.resolve();
    this.ms = HOUR_MS;
  }
}

/** Renews the leases of all rows but those that are `taken`. */
function leasesWith(taken: string[] = []) {
  const renewals: unknown[] = [];
  const leases = new Leases<Row>(new ClockBehind(), {
    lengthMs: LENGTH_MS,
    faults: {
      isRowFault: () => false,
      isTimedOut: () => false,
      isLockTimeout: () => false,
      isOutOfReach: () => false,
      isUnavailable: () => false,
    },
    maxRenewals: 10,
    renew: (rows, leaseEndsAt) => {
      renewals.push([rows.map(({ id }) => id), leaseEndsAt]);
      return Promise.resolve(rows.filter(({ id }) => !taken.includes(id)));
    },
  });
  const grant = (...ids: string[]) => leases.grant(() => Promise.resolve(ids.map((id) => ({ id }))));
  return { leases, grant, renewals };
}

describe('Leases', () => {
  it('are granted and renewed from the current time after a pause of the machine', async () => {
    const { leases, renewals } = leasesWith();
    const granted: unknown[] = [];
    const rows = await leases.grant((...times) => {
      granted.push(times);
      return Promise.resolve([{ id: 'a' }]);
    });
    expect(granted).toEqual([[new Date(HOUR_MS), LEASE_END]]);
    expect(rows).toMatchObject([{ id: 'a' }]);
    expect(rows[0]!.lease.isSafe()).toBe(true);

    const afterPause = leasesWith();
    await afterPause.leases.renew(rows);
    expect(afterPause.renewals).toEqual([[['a'], LEASE_END]]);
    expect(renewals).toEqual([]);
  });

  it('are renewed by one statement for concurrent calls', async () => {
    const { leases, grant, renewals } = leasesWith();
    const [a, b, c] = await grant('a', 'b', 'c');
    await Promise.all([leases.renew([a!, b!]), leases.renew([c!])]);
    expect(renewals).toEqual([[['a', 'b', 'c'], LEASE_END]]);
  });

  it('are lost if another worker has taken the row, and safe again once renewed', async () => {
    const { leases, grant } = leasesWith(['b']);
    const rows = await grant('a', 'b');
    rows[0]!.lease.lose();
    await leases.renew(rows);
    expect(rows.map(({ lease }) => lease.isSafe())).toEqual([true, false]);
  });
});
