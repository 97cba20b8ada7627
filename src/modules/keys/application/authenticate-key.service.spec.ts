import { describe, expect, it } from '@jest/globals';

import { Clock } from '../../../shared/ports/clock.js';
import { ApiKey } from '../domain/api-key.js';
import { AuthenticateKey } from './authenticate-key.service.js';
import type { ApiKeyRepository } from './ports/api-key.repository.js';

const NOW = new Date('2026-03-01T10:00:00Z');
const ADDRESS = '192.0.2.1';

class FixedClock extends Clock {
  now = () => NOW;
}

function authenticate(fields: Partial<ApiKey>) {
  const key = Object.assign(new ApiKey(), {
    id: 'key',
    scopes: ['send'],
    ipAllowlist: [],
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
    ...fields,
  });
  const recorded: Date[] = [];
  const keys = {
    findBySecretAcrossAccounts: () => Promise.resolve(key),
    recordUseAcrossAccounts: (_id: string, now: Date) => Promise.resolve(recorded.push(now)),
  } as unknown as ApiKeyRepository;
  const service = new AuthenticateKey(keys, new FixedClock());
  return { call: () => service.authenticate('sk_1', ADDRESS, 'send'), recorded };
}

describe('AuthenticateKey', () => {
  const everything = { revokedAt: NOW, expiresAt: NOW, ipAllowlist: ['192.0.2.2'], scopes: [] };
  it.each<[string, Partial<ApiKey>, string]>([
    ['revoked', everything, 'Invalid API key'],
    ['expired', { ...everything, revokedAt: null }, 'API key expired'],
    ['denied to the client', { ipAllowlist: ['192.0.2.2'], scopes: [] }, 'API key denied for this client IP'],
    ['without the scope', { scopes: ['read_events'] }, 'API key is missing required scope: send'],
  ])('refuses a key that is %s, in this order of checks', async (_, fields, message) => {
    const { call, recorded } = authenticate(fields);
    await expect(call()).rejects.toThrow(message);
    expect(recorded).toEqual([]);
  });

  it.each([
    ['records', 60_000, 1],
    ['does not record', 59_999, 0],
  ])('%s a use %i ms after the last recorded one', async (_, ms, times) => {
    const { call, recorded } = authenticate({ lastUsedAt: new Date(NOW.getTime() - ms) });
    await call();
    expect(recorded).toHaveLength(times);
  });
});
