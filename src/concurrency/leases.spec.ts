import { describe, expect, it } from '@jest/globals';

import { type Lease, Leases } from './lease.js';

const LENGTH_MS = 30_000;
interface Row {
  id: string;
  claimId: string;
  lease: Lease;
}
const claimed = (id: string, claimId = id) => ({ id, claimId });

/** Leases that renew all claims but those that are `taken` by others or `locked`. */
function leasesWith(taken: string[] = [], locked: string[] = []) {
  const renewals: string[][] = [];
  const leases = new Leases<Row>({
    lengthMs: LENGTH_MS,
    faults: {
      isRowFault: () => false,
      isTimedOut: () => false,
      isLockTimeout: () => false,
      isOutOfReach: () => false,
      isUnavailable: () => false,
    },
    maxRenewals: 10,
    claimOf: ({ claimId }) => claimId,
    renew: (rows) => {
      renewals.push(rows.map(({ claimId }) => claimId));
      const held = rows.filter(({ claimId }) => !taken.includes(claimId));
      return Promise.resolve(held.map(({ claimId }) => ({ claimId, isLocked: locked.includes(claimId) })));
    },
  });
  const grant = (...ids: string[]) => leases.grant(() => Promise.resolve(ids.map((id) => claimed(id))));
  return { leases, grant, renewals };
}

describe('Leases', () => {
  it('are safe once granted', async () => {
    const { leases } = leasesWith();
    const rows = await leases.grant(() => Promise.resolve([claimed('a')]));
    expect(rows).toMatchObject([{ id: 'a' }]);
    expect(rows[0]!.lease.isSafe()).toBe(true);
  });

  it('are renewed by one statement for concurrent calls', async () => {
    const { leases, grant, renewals } = leasesWith();
    const [a, b, c] = await grant('a', 'b', 'c');
    await Promise.all([leases.renew([a!, b!]), leases.renew([c!])]);
    expect(renewals).toEqual([['a', 'b', 'c']]);
  });

  it('are lost if another worker has taken the row, and safe again once renewed', async () => {
    const { leases, grant } = leasesWith(['b']);
    const rows = await grant('a', 'b');
    rows[0]!.lease.lose();
    await leases.renew(rows);
    expect(rows.map(({ lease }) => lease.isSafe())).toEqual([true, false]);
  });

  it('are lost with their claim, even if this process has claimed the row again', async () => {
    const { leases } = leasesWith(['lost claim']);
    const rows = await leases.grant(() => Promise.resolve([claimed('a', 'lost claim'), claimed('a', 'new claim')]));
    await leases.renew(rows);
    expect(rows.map(({ lease }) => lease.isSafe())).toEqual([false, true]);
  });

  it('are neither renewed nor lost while the row is locked', async () => {
    const locked = ['a'];
    const { leases, grant } = leasesWith([], locked);
    const [row] = await grant('a');
    await leases.renew([row!]);
    expect(row!.lease.isSafe()).toBe(true);
    row!.lease.lose();
    await leases.renew([row!]);
    expect(row!.lease.isSafe()).toBe(false);
    locked.pop();
    await leases.renew([row!]);
    expect(row!.lease.isSafe()).toBe(true);
  });
});
