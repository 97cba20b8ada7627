import { describe, expect, it } from '@jest/globals';

import { ElapsedTime, Lease } from '../../../concurrency/lease.js';
import { LeaseEndedError, RecipientSuppressedError } from '../../../shared/submission-check.js';
import type { ClaimedMessage, PendingDeliveryRepository } from '../../messages/index.js';
import type { SubmissionRefusal, SuppressionList } from '../../suppression/index.js';
import {
  CampaignStoppedError,
  QuietHoursError,
  StoppingError,
  SubmissionNotCheckedError,
} from '../domain/submission-refused.js';
import { CheckSubmission } from './check-submission.service.js';
import type { ConsentOfResent } from './consent-of-resent.service.js';
import type { QuietHoursOfAccount } from './quiet-hours-of-account.service.js';

const LENGTH_MS = 30_000;

interface Conditions {
  isStillClaimed?: boolean;
  refusal?: SubmissionRefusal | null;
  quietUntil?: Date | null;
  /** Whether the message was resent and lacks the consent that its campaign needs. */
  lacksConsent?: boolean;
  /** Called during the first look-up of refusals. */
  meanwhile?: (lease: Lease) => void;
}

function checkOf(lease: Lease, conditions: Conditions = {}) {
  const { isStillClaimed = true, refusal = null, quietUntil = null, lacksConsent, meanwhile } = conditions;
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
    findRefusal: async () => {
      calls.push('refusals');
      if (calls.filter((call) => call === 'refusals').length === 1) meanwhile?.(lease);
      return Promise.resolve(refusal);
    },
  } as unknown as SuppressionList;
  const resentFrom = lacksConsent === undefined ? null : 'c1';
  const message = { channel: 'email', recipient: 'ada@example.org', resentFrom, lease } as ClaimedMessage;
  const stop = new AbortController();
  const quietHours = { until: () => Promise.resolve(quietUntil) } as unknown as QuietHoursOfAccount;
  const consents = { isLacking: () => Promise.resolve(lacksConsent === true) } as unknown as ConsentOfResent;
  const checks = new CheckSubmission(deliveries, suppressions, quietHours, consents);
  return { check: checks.forMessage(message, stop.signal), calls, stop };
}

const held = () => new Lease(LENGTH_MS, new ElapsedTime());
const ended = () => new Lease(LENGTH_MS, null);

describe('CheckSubmission', () => {
  it('looks up only refusals while the lease is safe', async () => {
    const { check, calls } = checkOf(held());
    expect(check.isConfirmed()).toBe(false);
    await check.confirm();
    expect(check.isConfirmed()).toBe(true);
    expect(calls).toEqual(['refusals']);
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
    expect(calls).toEqual(['renew', 'refusals']);
    expect(check.isHeld()).toBe(true);
  });

  it('refuses a message that another worker has claimed, without looking up refusals', async () => {
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
    expect(calls).toEqual(['refusals', 'renew', 'refusals']);
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

  it('refuses a message in quiet hours, and says until when', async () => {
    const quietUntil = new Date();
    const { check } = checkOf(held(), { quietUntil });
    await expect(check.confirm()).rejects.toEqual(new QuietHoursError(quietUntil));
    expect(check.isConfirmed()).toBe(false);
  });

  it('refuses a suppressed recipient', async () => {
    const { check } = checkOf(held(), { refusal: 'suppressed' });
    await expect(check.confirm()).rejects.toBeInstanceOf(RecipientSuppressedError);
    expect(check.isConfirmed()).toBe(false);
  });

  it('refuses a recipient without a consent that the account requires', async () => {
    const { check } = checkOf(held(), { refusal: 'no_consent' });
    await expect(check.confirm()).rejects.toEqual(
      new RecipientSuppressedError('ada@example.org has not consented to marketing'),
    );
    expect(check.isConfirmed()).toBe(false);
  });

  it('asks again for the consent of a message that was resent', async () => {
    const { check } = checkOf(held(), { lacksConsent: true });
    await expect(check.confirm()).rejects.toBeInstanceOf(RecipientSuppressedError);
    await checkOf(held(), { lacksConsent: false }).check.confirm();
  });

  it.each([
    ['campaign_paused', 'paused'],
    ['campaign_canceled', 'canceled'],
  ] as const)('refuses a message with the refusal %s', async (refusal, status) => {
    const { check } = checkOf(held(), { refusal });
    await expect(check.confirm()).rejects.toEqual(new CampaignStoppedError(status));
    expect(check.isConfirmed()).toBe(false);
  });
});
