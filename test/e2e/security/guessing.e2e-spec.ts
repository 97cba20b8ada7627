import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { PasswordHasher } from '../../../src/modules/accounts/application/ports/password-hasher.js';
import { newSecret } from '../../../src/modules/keys/domain/api-key.js';
import type { TestAccount } from '../../support/account.js';
import { TestService } from '../../support/service.js';

const PASSWORD = 'correct horse battery staple';

/** Counts work instead of measuring time: equal work takes equal time. */
describe('Guessing', () => {
  let service: TestService;
  let account: TestAccount;
  let hasher: PasswordHasher;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
    account = await service.createAccount();
    hasher = service.app.get(PasswordHasher, { strict: false });
    await account.asAdmin('post', '/api/users').send({ email: 'ada@example.com', password: PASSWORD, role: 'member' });
  });
  afterAll(() => service.stop());

  /** The statements and argon2 calls of a request, without their parameters. */
  async function workOf(call: () => PromiseLike<unknown>): Promise<{ queries: string[]; hashes: string[] }> {
    const spies = [
      jest.spyOn(service.database, 'query'),
      jest.spyOn(service.database, 'prepared'),
      jest.spyOn(service.database.manager, 'query'),
    ] as const;
    const verify = jest.spyOn(hasher, 'verify');
    await call();
    const queries = spies.flatMap(({ mock }) => mock.calls.map(([text]) => text));
    const hashes = verify.mock.calls.map(([hash]) => costOf(hash ?? decoy()));
    jest.restoreAllMocks();
    return { queries, hashes };
  }

  const costOf = (hash: string) => hash.split('$').slice(1, 4).join(' ');
  const decoy = () => (hasher as unknown as { decoy: string }).decoy;
  const login = (email: string, headers = {}) =>
    service.request('post', '/api/auth/login').set(headers).send({ email, password: 'a guess' });

  it('an email costs one hash, whether there is such a user or not', async () => {
    const known = await workOf(() => login('ada@example.com').expect(401));
    const unknown = await workOf(() => login('nobody@example.com').expect(401));
    expect(known.hashes).toEqual(['argon2id v=19 m=19456,t=2,p=1']);
    expect(known.queries.length).toBeGreaterThan(0);
    expect(unknown).toEqual(known);
  });

  it('beyond the limit costs no hash', async () => {
    for (let n = 0; n < 10; n++) await login('cleo@example.com').expect(401);
    const { hashes } = await workOf(() => login('cleo@example.com').expect(429));
    expect(hashes).toEqual([]);
  });

  it('gains nothing from other spellings of the email or from many client addresses', async () => {
    const spellings = [
      'eve@bücher.example',
      ' EVE@BÜCHER.example ',
      'eve@xn--bcher-kva.example',
      'Eve@XN--BCHER-KVA.EXAMPLE',
    ];
    const attempt = (n: number) => login(spellings[n % spellings.length]!, { 'X-Forwarded-For': `192.0.2.${n}` });
    for (let n = 0; n < 10; n++) await attempt(n).expect(401);
    for (let n = 10; n < 14; n++) await attempt(n).expect(429);
  });

  it('a key costs one look-up by its hash, whether it is unknown, revoked or expired', async () => {
    const use = (secret: string) => service.request('get', '/api/messages').set('X-API-Key', secret).expect(401);
    const [revoked, expired] = [await account.createKey(), await account.createKey()];
    await account.asAdmin('delete', `/api/api-keys/${revoked.id}`).expect(200);
    await service.query(`UPDATE api_keys SET expires_at = '2020-01-01' WHERE id = $1`, [expired.id]);
    const works: object[] = [];
    for (const secret of [newSecret(), 'sk_', revoked.secret, `${revoked.secret.slice(0, -1)}!`, expired.secret])
      works.push(await workOf(() => use(secret)));
    expect(works[0]).toEqual({ queries: ['find_keys_by_secret'], hashes: [] });
    expect(works.filter((work) => JSON.stringify(work) !== JSON.stringify(works[0]))).toEqual([]);
  });
});
