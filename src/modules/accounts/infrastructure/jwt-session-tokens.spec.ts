import { createHmac } from 'node:crypto';

import { afterEach, describe, expect, it, jest } from '@jest/globals';

import type { Config } from '../../../config/config.js';
import { deriveKey } from '../../../platform/crypto/aes-secret-box.js';
import { JwtSessionTokens } from './jwt-session-tokens.js';

const APP_SECRET = 'a secret of at least 32 characters';
const tokensSignedWith = (appSecret: string) => new JwtSessionTokens({ appSecret } as Config);
const claims = { sub: 'c1', accountId: 'c2', role: 'admin' as const, stamp: 's' };
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('JwtSessionTokens', () => {
  const tokens = tokensSignedWith(APP_SECRET);

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('issues tokens that carry the claims for twelve hours', async () => {
    const token = await tokens.issue(claims);
    const issuedAt = Date.now();
    expect(await tokens.verify(token)).toEqual(expect.objectContaining(claims));
    jest.spyOn(Date, 'now').mockReturnValue(issuedAt + (12 * 3_600 - 2) * 1_000);
    expect(await tokens.verify(token)).not.toBeNull();
    jest.spyOn(Date, 'now').mockReturnValue(issuedAt + 12 * 3_600 * 1_000);
    expect(await tokens.verify(token)).toBeNull();
  });

  it('refuses tokens that are altered or signed with another secret', async () => {
    const token = await tokens.issue(claims);
    const [header, , signature] = token.split('.');
    expect(await tokens.verify([header, encode({ ...claims, accountId: 'c3' }), signature].join('.'))).toBeNull();
    expect(await tokensSignedWith('another secret of 32 characters!').verify(token)).toBeNull();
    expect(await tokens.verify('no token')).toBeNull();
  });

  it.each(['sub', 'accountId', 'stamp'])('refuses tokens without %s', async (claim) => {
    expect(await tokens.verify(await tokens.issue({ ...claims, [claim]: undefined }))).toBeNull();
    expect(await tokens.verify(await tokens.issue({ ...claims, [claim]: ['c2'] }))).toBeNull();
  });

  it.each(['none', 'HS384'])('refuses tokens signed with the algorithm %s', async (alg) => {
    const text = `${encode({ alg, typ: 'JWT' })}.${encode(claims)}`;
    const key = deriveKey(APP_SECRET, 'sessions').toString('base64');
    const signature = alg === 'none' ? '' : createHmac('sha384', key).update(text).digest('base64url');
    expect(await tokens.verify(`${text}.${signature}`)).toBeNull();
  });
});
