import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { ApiKey, hashSecret, newSecret } from '../domain/api-key.js';
import { AuthenticateKey } from './authenticate-key.service.js';
import type { ApiKeyRepository } from './ports/api-key.repository.js';

const NOW = new Date('2026-03-01T10:00:00Z');
const SECRET = newSecret();
const ADDRESS = '192.0.2.1';

class FixedClock extends Clock {
  now = () => NOW;
}

function authenticate(fields: Partial<ApiKey> = {}, recordUse = () => Promise.resolve()) {
  const key = Object.assign(new ApiKey(), {
    id: 'key',
    secretHash: hashSecret(SECRET),
    scopes: ['send'],
    ipAllowlist: [],
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
    ...fields,
  });
  const recorded: Date[] = [];
  const keys = {
    findBySecretAcrossAccounts: (hash: Buffer) => Promise.resolve(hash.equals(key.secretHash) ? key : null),
    recordUseAcrossAccounts: (_id: string, now: Date) => {
      recorded.push(now);
      return recordUse();
    },
  } as unknown as ApiKeyRepository;
  const service = new AuthenticateKey(keys, new FixedClock());
  return { call: (secret: string | undefined = SECRET) => service.authenticate(secret, ADDRESS, 'send'), recorded };
}

describe('AuthenticateKey', () => {
  beforeAll(() => {
    Logger.overrideLogger(false);
  });
  afterAll(() => {
    Logger.overrideLogger(['log', 'error', 'warn']);
  });

  it('returns the key of a secret', async () => {
    expect((await authenticate({ ipAllowlist: [ADDRESS], expiresAt: new Date(NOW.getTime() + 1) }).call()).id).toBe(
      'key',
    );
  });

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

  it('refuses a missing and an unknown secret', async () => {
    await expect(authenticate().call('')).rejects.toThrow('Missing API key');
    await expect(authenticate().call(newSecret())).rejects.toThrow('Invalid API key');
  });

  it.each([
    ['records', 60_000, 1],
    ['does not record', 59_999, 0],
  ])('%s a use %i ms after the last recorded one', async (_, ms, times) => {
    const { call, recorded } = authenticate({ lastUsedAt: new Date(NOW.getTime() - ms) });
    await call();
    expect(recorded).toHaveLength(times);
  });

  it('accepts the key even if its use cannot be recorded', async () => {
    const { call } = authenticate({}, () => Promise.reject(new Error('unavailable')));
    expect((await call()).id).toBe('key');
  });
});
