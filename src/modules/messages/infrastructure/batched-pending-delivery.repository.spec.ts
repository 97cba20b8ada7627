import { describe, expect, it } from '@jest/globals';

import type { Database } from '../../../platform/database/database.js';
import { Lease } from '../../../shared/lease.js';
import { Clock } from '../../../shared/ports/clock.js';
import type { ClaimedMessage } from '../domain/delivery.js';
import { BatchedPendingDeliveryRepository, LEASE_MS } from './batched-pending-delivery.repository.js';

const HOUR_MS = 3_600_000;
const LEASE_END = new Date(HOUR_MS + LEASE_MS);

/** The machine was paused for an hour, which the clock has not noticed yet. */
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

function ledger() {
  const written: unknown[][] = [];
  const write = (values: unknown[]) => {
    written.push(values);
    return Promise.resolve([]);
  };
  const database = {
    query: (_text: string, values: unknown[]) => write(values),
    prepared: (_name: string, _text: string, values: unknown[]) => write(values),
  };
  return { ledger: new BatchedPendingDeliveryRepository(database as unknown as Database, new ClockBehind()), written };
}

describe('The leases of a process that was paused with its machine', () => {
  it('are renewed until later than now', async () => {
    const { ledger: paused, written } = ledger();
    await paused.renew([{ id: 'm', claimId: 'c', lease: new Lease(LEASE_MS, null) } as ClaimedMessage]);
    expect(written).toEqual([[['m'], ['c'], LEASE_END]]);
  });

  it('are taken until later than now', async () => {
    const { ledger: paused, written } = ledger();
    await paused.claim('a', ['m']);
    expect(written[0]).toEqual([['m'], [expect.any(String)], 'a', new Date(HOUR_MS), LEASE_END]);
  });
});
