import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';

import type { SmsConnection } from '../../../providers/index.js';
import type { SmsAccountStatus, SmsAccountStatuses } from '../../provider-settings/index.js';
import type { RefreshSmsAccountStatus } from './refresh-sms-account-status.service.js';
import { SmsSandbox } from './sms-sandbox.service.js';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const VERIFIED = '+14155550100';
const OTHER = '+14155550101';
const PROVIDER = { settingsAt: new Date(0) } as SmsConnection;

interface Conditions {
  stored?: Partial<SmsAccountStatus> | null;
  refreshed?: () => Promise<Partial<SmsAccountStatus>>;
}

function statusOf(changes: Partial<SmsAccountStatus>): SmsAccountStatus {
  const checkedAt = new Date(NOW);
  return { sandbox: true, verifiedNumbers: [VERIFIED], originationNumbers: [], checkedAt, ...changes };
}

function sandboxWith({ stored = null, refreshed = () => Promise.reject(new Error('no reply')) }: Conditions) {
  let now = NOW;
  const refresh = jest.fn<RefreshSmsAccountStatus['refresh']>(() => refreshed().then(statusOf));
  const sandbox = new SmsSandbox(
    { find: () => Promise.resolve(stored && statusOf(stored)) } as unknown as SmsAccountStatuses,
    { refresh } as unknown as RefreshSmsAccountStatus,
    { now: () => new Date(now), catchUp: () => Promise.resolve() },
  );
  const require = (number: string, provider = PROVIDER) => sandbox.requireReachable('a', provider, number);
  return { require, refresh, advance: (ms: number) => (now += ms) };
}

const checkedBefore = (ms: number) => ({ checkedAt: new Date(NOW - ms) });
const RESTRICTED = { kind: 'invalid', code: 'validation' };

describe('SmsSandbox', () => {
  beforeEach(() => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('refuses only unverified numbers in the sandbox, by a status that is fresh', async () => {
    const { require, refresh } = sandboxWith({ stored: {} });
    await require(VERIFIED);
    await expect(require(OTHER)).rejects.toMatchObject(RESTRICTED);
    expect(refresh).not.toHaveBeenCalled();
  });

  it('allows every number outside the sandbox', async () => {
    const { require } = sandboxWith({ stored: { sandbox: false, verifiedNumbers: [] } });
    await require(OTHER);
  });

  it('reads the status if none is stored', async () => {
    const { require, refresh } = sandboxWith({ refreshed: () => Promise.resolve({}) });
    await expect(require(OTHER)).rejects.toMatchObject(RESTRICTED);
    expect(refresh).toHaveBeenCalledWith('a', PROVIDER);
  });

  it.each([
    ['after a minute, before it refuses a number', OTHER, MINUTE],
    ['after half an hour, before it allows a number', VERIFIED, 30 * MINUTE],
  ])('refreshes the status %s', async (_, number, staleAfterMs) => {
    const refreshed = () => Promise.resolve({ verifiedNumbers: [VERIFIED, OTHER] });
    const fresh = sandboxWith({ stored: checkedBefore(staleAfterMs), refreshed });
    await fresh.require(number).catch(() => undefined);
    expect(fresh.refresh).not.toHaveBeenCalled();
    const stale = sandboxWith({ stored: checkedBefore(staleAfterMs + 1), refreshed });
    await stale.require(number);
    expect(stale.refresh).toHaveBeenCalledTimes(1);
  });

  it('uses the stored status if the refresh fails', async () => {
    const { require } = sandboxWith({ stored: checkedBefore(31 * MINUTE) });
    await require(VERIFIED);
    await expect(require(OTHER)).rejects.toMatchObject(RESTRICTED);
  });

  it('allows every number if nothing is known', async () => {
    const { require } = sandboxWith({});
    await require(OTHER);
  });

  it('does not wait longer than two seconds for a refresh', async () => {
    const { require } = sandboxWith({ refreshed: () => new Promise(() => undefined) });
    const startedAt = performance.now();
    await require(OTHER);
    expect(performance.now() - startedAt).toBeGreaterThan(1.9 * SECOND);
  });

  it('refreshes the status of an account once in 30 seconds, unless its settings change', async () => {
    const { require, refresh, advance } = sandboxWith({});
    await Promise.all([require(OTHER), require(VERIFIED)]);
    await require(OTHER);
    expect(refresh).toHaveBeenCalledTimes(1);
    await require(OTHER, { settingsAt: new Date(1) } as SmsConnection);
    expect(refresh).toHaveBeenCalledTimes(2);
    advance(30 * SECOND);
    await require(OTHER);
    expect(refresh).toHaveBeenCalledTimes(3);
  });
});
