import { describe, expect, it } from '@jest/globals';

import { ElapsedTime } from '../../../shared/elapsed-time.js';
import { Lease } from '../../../shared/lease.js';
import { LeaseEndedError } from '../../../shared/submission-check.js';
import type { ClaimedMessage, PendingDeliveryRepository } from '../../messages/index.js';
import type { SuppressionList } from '../../suppression/index.js';
import { RecipientSuppressedError, SubmissionNotCheckedError } from '../domain/submission-refused.js';
import { CheckSubmission } from './check-submission.service.js';

const LENGTH_MS = 30_000;

interface World {
  isStillClaimed?: boolean;
  isSuppressed?: boolean;
  /** Called while the suppression list is asked. */
  meanwhile?: (lease: Lease) => void;
}

function checkOf(lease: Lease, { isStillClaimed = true, isSuppressed = false, meanwhile }: World = {}) {
  const asked: string[] = [];
  const ledger = {
    renew: () => {
      asked.push('renew');
      if (isStillClaimed) lease.renew(new ElapsedTime());
      else lease.lose();
      return Promise.resolve();
    },
  } as unknown as PendingDeliveryRepository;
  const suppressions = {
    isSuppressed: async () => {
      asked.push('suppressions');
      if (asked.filter((what) => what === 'suppressions').length === 1) meanwhile?.(lease);
      return Promise.resolve(isSuppressed);
    },
  } as unknown as SuppressionList;
  const message = { channel: 'email', recipient: 'ada@example.org', lease } as ClaimedMessage;
  return { check: new CheckSubmission(ledger, suppressions).of(message), asked };
}

const held = () => new Lease(LENGTH_MS, new ElapsedTime());
const ended = () => new Lease(LENGTH_MS, null);

describe('CheckSubmission', () => {
  it('asks for nothing but the suppression while the lease is safe', async () => {
    const { check, asked } = checkOf(held());
    expect(check.isConfirmed()).toBe(false);
    await check.confirm();
    expect(check.isConfirmed()).toBe(true);
    expect(asked).toEqual(['suppressions']);
  });

  it('renews first where the lease may have ended', async () => {
    const { check, asked } = checkOf(ended());
    await check.confirm();
    expect(asked).toEqual(['renew', 'suppressions']);
    expect(check.isHeld()).toBe(true);
  });

  it('refuses what another worker has taken, without another question', async () => {
    const { check, asked } = checkOf(ended(), { isStillClaimed: false });
    await expect(check.confirm()).rejects.toBeInstanceOf(LeaseEndedError);
    expect(asked).toEqual(['renew']);
    expect(check.isHeld()).toBe(false);
  });

  it('asks again where the lease ended while it asked', async () => {
    const meanwhile = (lease: Lease) => {
      lease.lose();
    };
    const { check, asked } = checkOf(held(), { meanwhile });
    await check.confirm();
    expect(asked).toEqual(['suppressions', 'renew', 'suppressions']);
  });

  it('tells a fault of ours from a refusal, and from what a provider answers', async () => {
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
