import { describe, expect, it } from '@jest/globals';

import type { Database } from '../../../../platform/database/database.js';
import type { DatabaseClock } from '../../../../platform/database/database-clock.js';
import { Clock } from '../../../../shared/ports/clock.js';
import type { ClaimedMessage } from '../../domain/delivery.js';
import { BatchedPendingDeliveryRepository } from './batched-pending-delivery.repository.js';

const HOUR_MS = 3_600_000;
const STEADY = { steadyNow: () => new Date(HOUR_MS) } as DatabaseClock;

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

function pausedRepository() {
  const written: unknown[][] = [];
  const write = (values: unknown[]) => {
    written.push(values);
    return Promise.resolve([]);
  };
  const database = {
    query: (_text: string, values: unknown[]) => write(values),
    prepared: (_name: string, _text: string, values: unknown[]) => write(values),
  };
  const repository = new BatchedPendingDeliveryRepository(database as unknown as Database, new ClockBehind(), STEADY);
  return { repository, written };
}

describe('After the machine was paused', () => {
  it('claims what is due at the current time', async () => {
    const { repository, written } = pausedRepository();
    await repository.claim('a', ['m']);
    expect(written[0]).toEqual([['m'], [expect.any(String)], 'a', new Date(HOUR_MS), new Date(HOUR_MS)]);
  });
});

describe('An outcome that is recorded after clicks', () => {
  /** The statements of a scanner check fail. */
  function repositoryThatCannotCheck() {
    const database = {
      prepared: () => Promise.resolve([{ id: 'm', claimId: 'c of m', isLocked: false, maybeScanned: true }]),
      run: () => Promise.reject(new Error('lock timeout')),
    };
    return new BatchedPendingDeliveryRepository(database as unknown as Database, new ClockBehind(), STEADY);
  }

  it('remains recorded if the clicks cannot be checked, which is reported for its message only', async () => {
    const repository = repositoryThatCannotCheck();
    const faults: string[] = [];
    const record = (id: string) =>
      repository.record(
        { id, claimId: `c of ${id}`, attempt: 1 } as ClaimedMessage,
        { kind: 'sent', provider: 'smtp', providerMessageId: 'p', response: '250 queued' },
        {
          onRetry: ({ message }) => faults.push(`${id} is not recorded: ${message}`),
          onUncheckedClicks: ({ message }) => faults.push(`${id} is not checked: ${message}`),
        },
      );
    expect(await Promise.all([record('m'), record('lost')])).toEqual([true, false]);
    expect(faults).toEqual(['m is not checked: lock timeout']);
  });
});
