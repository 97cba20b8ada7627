import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';

import type { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import type { DeliveryPauses } from '../../provider-settings/index.js';
import type { ClaimedMessage } from '../../messages/index.js';
import {
  HardBounceError,
  OptedOutError,
  PermanentDeliveryError,
  ProviderPausedError,
  ThrottledError,
  TransientDeliveryError,
  UnknownOutcomeError,
} from '../../../shared/delivery-error.js';
import { MAX_ATTEMPTS } from '../domain/retry-schedule.js';
import { SubmissionNotCheckedError } from '../domain/submission-refused.js';
import { FailurePolicy } from './failure-policy.service.js';
import type { SendingRate } from './ports/sending-rate.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const MINUTE = 60_000;
const SETTINGS_AT = new Date('2026-02-01T00:00:00Z');
const AWAY = new Error('Connection terminated unexpectedly');
const inMs = (ms: number) => new Date(NOW.getTime() + ms);

function policyWith({ random = 0 } = {}) {
  const effects: unknown[] = [];
  const record = (...effect: unknown[]) => Promise.resolve(void effects.push(effect));
  const policy = new FailurePolicy(
    { slowDown: (...args: unknown[]) => record('slowDown', ...args) } as unknown as SendingRate,
    { begin: (...args: unknown[]) => record('pause', ...args) } as unknown as DeliveryPauses,
    { now: () => NOW, catchUp: () => Promise.resolve() },
    { next: () => random },
    { isUnavailable: (error: unknown) => error === AWAY } as unknown as DatabaseFaults,
  );
  const decide = (error: Error, changes: Partial<ClaimedMessage> = {}) => {
    const message = { id: 'm', accountId: 'a', channel: 'email', attempt: 1, acceptedAt: NOW, ...changes };
    return policy.decide(message as ClaimedMessage, error);
  };
  return { decide, effects };
}

describe('FailurePolicy', () => {
  it('records a hard bounce', async () => {
    const { decide, effects } = policyWith();
    expect(await decide(new HardBounceError('550 5.1.1'))).toEqual({ kind: 'bounced', error: '550 5.1.1' });
    expect(await decide(new OptedOutError('opted out'))).toEqual({ kind: 'opted_out', error: 'opted out' });
    expect(effects).toEqual([]);
  });

  it('fails the message after a permanent error', async () => {
    const { decide, effects } = policyWith();
    expect(await decide(new PermanentDeliveryError('554 refused'))).toEqual({ kind: 'failed', error: '554 refused' });
    expect(effects).toEqual([]);
  });

  it.each([AWAY, new SubmissionNotCheckedError(AWAY)])(
    'releases the message if the database is away before the submission: %s',
    async (error) => {
      const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
      const outcome = await policyWith().decide(error, { attempt: MAX_ATTEMPTS });
      expect(outcome).toEqual({ kind: 'released', nextAttemptAt: NOW });
      expect(warn).toHaveBeenCalledWith(`Message m is released until ${NOW.toISOString()}: ${error.message}`);
    },
  );

  it.each([
    [10_000, 5_000],
    [10 * MINUTE, 5 * MINUTE],
    [24 * 60 * MINUTE, 15 * MINUTE],
  ])('releases a message that has waited %i ms because of the database for %i ms', async (waitedMs, delayMs) => {
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const outcome = await policyWith().decide(AWAY, { acceptedAt: inMs(-waitedMs) });
    expect(outcome).toEqual({ kind: 'released', nextAttemptAt: inMs(delayMs) });
  });

  it('gives up a message that the database keeps from being submitted two days after acceptance, and logs why', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const acceptedAt = inMs(-48 * 60 * MINUTE);
    const error = 'Gave up after two days: Internal error';
    expect(await policyWith().decide(new SubmissionNotCheckedError(AWAY), { acceptedAt })).toEqual({
      kind: 'failed',
      error,
    });
    expect(log).toHaveBeenCalledWith(expect.stringContaining(AWAY.message));
  });

  it.each([
    [new TransientDeliveryError('450 later'), false],
    [new UnknownOutcomeError('timeout'), true],
  ])('retries after %p, noting whether the outcome is unknown', async (error, outcomeUnknown) => {
    const { decide, effects } = policyWith();
    const retry = { kind: 'retry', error: error.message, outcomeUnknown };
    expect(await decide(error)).toEqual({ ...retry, nextAttemptAt: inMs(MINUTE) });
    expect(await decide(error, { attempt: 2 })).toEqual({ ...retry, nextAttemptAt: inMs(3 * MINUTE) });
    expect(effects).toEqual([]);
  });

  it('retries at the time that the simulator wants', async () => {
    const { decide } = policyWith({ random: 0.5 });
    const error = new TransientDeliveryError('451 simulated', { isSimulated: true, retryAfterMs: 5_000 });
    expect(await decide(error, { attempt: 2 })).toMatchObject({ kind: 'retry', nextAttemptAt: inMs(5_000) });
  });

  it('spreads the retries', async () => {
    const { decide } = policyWith({ random: 0.5 });
    expect(await decide(new TransientDeliveryError('450'))).toMatchObject({ nextAttemptAt: inMs(1.05 * MINUTE) });
  });

  it('gives up after the last attempt', async () => {
    const { decide } = policyWith();
    const error = `Gave up after ${MAX_ATTEMPTS} attempts: 450 later`;
    const last = { attempt: MAX_ATTEMPTS };
    expect(await decide(new TransientDeliveryError('450 later'), last)).toEqual({ kind: 'failed', error });
  });

  it('logs an internal error, and retries without showing it', async () => {
    const { decide } = policyWith();
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const outcome = await decide(new TypeError('x is undefined'));
    expect(outcome).toMatchObject({ kind: 'retry', error: 'Internal error', outcomeUnknown: false });
    expect(log).toHaveBeenCalledWith('Message m: x is undefined', expect.any(String));
    log.mockRestore();
  });

  it('slows the channel of the account down when the provider throttles', async () => {
    const { decide, effects } = policyWith();
    expect(await decide(new ThrottledError('429'))).toEqual({
      kind: 'postponed',
      error: '429',
      nextAttemptAt: inMs(5_000),
    });
    expect(effects).toEqual([['slowDown', 'a', 'email']]);
  });

  it('pauses the channel of the account when the provider refuses everything', async () => {
    const { decide, effects } = policyWith();
    const outcome = await decide(new ProviderPausedError('suspended', 5 * MINUTE, SETTINGS_AT), { channel: 'sms' });
    const until = inMs(5 * MINUTE);
    expect(outcome).toEqual({ kind: 'postponed', error: 'suspended', nextAttemptAt: until });
    expect(effects).toEqual([['pause', 'a', 'sms', { reason: 'suspended', until, settingsAt: SETTINGS_AT }]]);
  });

  it.each([new ThrottledError('429'), new ProviderPausedError('429', MINUTE, SETTINGS_AT)])(
    'does not count a postponed attempt, but gives up two days after acceptance: %p',
    async (error) => {
      const { decide, effects } = policyWith();
      expect(await decide(error, { attempt: MAX_ATTEMPTS })).toMatchObject({ kind: 'postponed' });
      const acceptedAt = inMs(-48 * 60 * MINUTE);
      expect(await decide(error, { acceptedAt })).toEqual({ kind: 'failed', error: 'Gave up after two days: 429' });
      expect(effects).toHaveLength(2);
    },
  );
});
