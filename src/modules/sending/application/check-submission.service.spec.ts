import { describe, expect, it } from '@jest/globals';

import { ElapsedTime, Lease } from '../../../shared/lease.js';
import { LeaseEndedError } from '../../../shared/submission-check.js';
import type { ClaimedMessage, PendingDeliveryRepository } from '../../messages/index.js';
import type { SuppressionList } from '../../suppression/index.js';
import { RecipientSuppressedError, StoppingError, SubmissionNotCheckedError } from '../domain/submission-refused.js';
import { CheckSubmission } from './check-submission.service.js';

const LENGTH_MS = 30_000;

interface Conditions {
  isStillClaimed?: boolean;
  isSuppressed?: boolean;
  /** Called during the first look-up of the suppression. */
  meanwhile?: (lease: Lease) => void;
}

function checkOf(lease: Lease, { isStillClaimed = true, isSuppressed = false, meanwhile }: Conditions = {}) {
  const calls: string[] = [];
  const deliveries = {
    renew: () => {
      calls.push('renew');
      if (isStillClaimed) lease.renew(new ElapsedTime());
      else lease.lose();
      return Promise.resolve();
    },
  } as unknown as PendingDeliveryRepository;
  const suppressions = {
    isSuppressed: async () => {
      calls.push('suppressions');
      if (calls.filter((call) => call === 'suppressions').length === 1) meanwhile?.(lease);
      return Promise.resolve(isSuppressed);
    },
  } as unknown as SuppressionList;
  const message = { channel: 'email', recipient: 'ada@example.org', lease } as ClaimedMessage;
  const stop = new AbortController();
  return { check: new CheckSubmission(deliveries, suppressions).forMessage(message, stop.signal), calls, stop };
}

const held = () => new Lease(LENGTH_MS, new ElapsedTime());
const ended = () => new Lease(LENGTH_MS, null);

describe('CheckSubmission', () => {
  it('looks up only the suppression while the lease is safe', async () => {
    const { check, calls } = checkOf(held());
    expect(check.isConfirmed()).toBe(false);
    await check.confirm();
    expect(check.isConfirmed()).toBe(true);
    expect(calls).toEqual(['suppressions']);
  });

  it('refuses a message that waits for its connection when the process stops', async () => {
    const { check, calls, stop } = checkOf(held());
    stop.abort();
    await expect(check.confirm()).rejects.toBeInstanceOf(StoppingError);
    expect(calls).toEqual([]);
  });

  it('renews the lease first if it may have ended', async () => {
    const { check, calls } = checkOf(ended());
    await check.confirm();
    expect(calls).toEqual(['renew', 'suppressions']);
    expect(check.isHeld()).toBe(true);
  });

  it('refuses a message that another worker has claimed, without looking up the suppression', async () => {
    const { check, calls } = checkOf(ended(), { isStillClaimed: false });
    await expect(check.confirm()).rejects.toBeInstanceOf(LeaseEndedError);
    expect(calls).toEqual(['renew']);
    expect(check.isHeld()).toBe(false);
  });

  it('checks again if the lease ends during the check', async () => {
    const meanwhile = (lease: Lease) => {
      lease.lose();
    };
    const { check, calls } = checkOf(held(), { meanwhile });
    await check.confirm();
    expect(calls).toEqual(['suppressions', 'renew', 'suppressions']);
  });

  it('reports an internal error as neither a refusal nor an error of the provider', async () => {
    const fault = new Error('canceling statement due to statement timeout');
    const meanwhile = () => {
      throw fault;
    };
    const { check } = checkOf(held(), { meanwhile });
    const error = await check.confirm().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SubmissionNotCheckedError);
    expect(error).toMatchObject({ cause: fault });
    expect(check.isConfirmed()).toBe(false);
  });

  it('refuses a suppressed recipient', async () => {
    const { check } = checkOf(held(), { isSuppressed: true });
    await expect(check.confirm()).rejects.toBeInstanceOf(RecipientSuppressedError);
    expect(check.isConfirmed()).toBe(false);
  });
});
