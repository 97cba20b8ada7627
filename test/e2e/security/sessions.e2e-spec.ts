import { createHmac, generateKeyPairSync, sign } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { deriveKey } from '../../../src/platform/crypto/aes-secret-box.js';
import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

const APP_SECRET = 'a secret of this test, 32 characters long';
const KEY = deriveKey(APP_SECRET, 'sessions').toString('base64');
const DIGESTS: Record<string, string> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };

interface Claims extends Record<string, unknown> {
  sub: string;
  accountId: string;
  iat: number;
  exp: number;
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

function tokenOf(claims: object, { alg = 'HS256', key = KEY, header = {} } = {}): string {
  const text = `${encode({ alg, typ: 'JWT', ...header })}.${encode(claims)}`;
  return `${text}.${createHmac(DIGESTS[alg]!, key).update(text).digest('base64url')}`;
}

describe('A session', () => {
  let service: TestService;
  let account: TestAccount;
  let other: TestAccount;
  let claims: Claims;
  let memberClaims: Claims;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api', APP_SECRET });
    [account, other] = [await service.createAccount(), await service.createAccount()];
    [claims, memberClaims] = [claimsOf(account.adminToken), claimsOf(account.memberToken)];
  });
  afterAll(() => service.stop());

  const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Claims;
  const partsOf = (token: string) => token.split('.') as [string, string, string];
  const me = (token: string) => service.request('get', '/api/auth/me', token);
  const refused = (token: string) => me(token).expect(401, errorBody(401, 'Invalid session'));

  it('is one that these tests can make, so that what they refuse is refused for its one fault', async () => {
    await me(tokenOf(claims)).expect(200);
    await me(tokenOf(memberClaims)).expect(200);
  });

  it.each(['none', 'None', 'NONE', 'nOnE', ''])(
    'is not one without a signature, whose algorithm is %j',
    async (alg) => {
      const [, payload, signature] = partsOf(tokenOf(claims));
      const header = encode({ alg, typ: 'JWT' });
      for (const token of [`${header}.${payload}.`, `${header}.${payload}`, `${header}.${payload}.${signature}`])
        await refused(token);
    },
  );

  it.each(['HS384', 'HS512'])('is not one that is signed with %s', async (alg) => {
    await refused(tokenOf(claims, { alg }));
  });

  it('is not one that is signed with another key, or that brings its own', async () => {
    for (const key of ['', APP_SECRET, deriveKey(APP_SECRET, 'stored-secrets').toString('base64'), 'secret'])
      await refused(tokenOf(claims, { key }));
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const header = encode({
      alg: 'RS256',
      typ: 'JWT',
      jwk: publicKey.export({ format: 'jwk' }),
      x5u: 'https://example.com',
    });
    const text = `${header}.${encode(claims)}`;
    await refused(`${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`);
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    await refused(tokenOf(claims, { key: pem, header: { kid: '/dev/null', jku: 'https://example.com/jwks.json' } }));
  });

  it('is not one that has ended, or whose end cannot be read', async () => {
    const now = Math.floor(Date.now() / 1_000);
    for (const exp of [now - 1, now - 43_200, 0, -1, 'never', null, {}]) await refused(tokenOf({ ...claims, exp }));
    await refused(tokenOf({ ...claims, nbf: now + 3_600 }));
  });

  it('is not one whose payload was altered', async () => {
    const [header, , signature] = partsOf(account.memberToken);
    for (const change of [
      { role: 'admin' },
      { accountId: other.id },
      { sub: claims.sub },
      { exp: memberClaims.exp + 1 },
    ])
      await refused([header, encode({ ...memberClaims, ...change }), signature].join('.'));
    const [, payload] = partsOf(account.memberToken);
    for (const altered of [signature.slice(0, -2), `${signature}A`, signature.replace(/./g, 'A'), ''])
      await refused([header, payload, altered].join('.'));
  });

  it('is of one user of one account, whatever else a rightly signed one claims', async () => {
    await refused(tokenOf({ ...claims, accountId: other.id }));
    await refused(tokenOf({ ...claims, sub: claimsOf(other.adminToken).sub }));
    await refused(tokenOf({ ...claims, stamp: 'x'.repeat(22) }));
    await refused(tokenOf({ ...claims, stamp: undefined }));
    for (const sub of [null, 7, {}, [claims.sub], '', "' OR 1=1; --"]) await refused(tokenOf({ ...claims, sub }));
    for (const accountId of [undefined, null, {}, [account.id]]) await refused(tokenOf({ ...claims, accountId }));
    const { body } = await me(tokenOf({ ...memberClaims, role: 'admin' })).expect(200);
    expect(body.user.role).toBe('member');
    await service.request('post', '/api/users', tokenOf({ ...memberClaims, role: 'admin' })).expect(403);
  });

  it('is taken from its header alone, and is no API key', async () => {
    const missing = errorBody(401, 'Missing session');
    const token = account.adminToken;
    const { secret } = await account.createKey();
    await service.request('get', `/api/auth/me?access_token=${token}&token=${token}`).expect(401, missing);
    await service
      .request('get', '/api/auth/me')
      .set('Cookie', `token=${token}; Authorization=Bearer ${token}`)
      .expect(401, missing);
    await service.request('get', '/api/auth/me').set('X-API-Key', token).expect(401, missing);
    await service
      .request('get', '/api/messages')
      .set('X-API-Key', token)
      .expect(401, errorBody(401, 'Invalid API key'));
    await refused(secret);
    await refused(`${token}, Bearer ${token}`);
  });
});
