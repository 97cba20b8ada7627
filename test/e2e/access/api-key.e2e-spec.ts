import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ApiKeyRepository } from '../../../src/modules/keys/application/ports/api-key.repository.js';
import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

const unauthorized = (message: string) => errorBody(401, message);

describe('Access with an API key', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
  });
  afterAll(() => service.stop());

  const create = async (wanted: object) =>
    (
      await account
        .asAdmin('post', '/api/api-keys')
        .send({ name: 'Test', scopes: ['send'], ...wanted })
        .expect(201)
    ).body;
  /** A body that is refused last: a 400 for the body means that all guards let the key pass. */
  const call = (secret?: string, forwardedFor?: string) => {
    const request = service.request('post', '/api/send/transactional').send({});
    if (secret !== undefined) void request.set('X-API-Key', secret);
    if (forwardedFor !== undefined) void request.set('X-Forwarded-For', forwardedFor);
    return request;
  };

  it('refuses a missing and an unknown key before it looks at anything else', async () => {
    await call().expect(401, unauthorized('Missing API key'));
    await call('').expect(401, unauthorized('Missing API key'));
    await call('sk_unknown').expect(401, unauthorized('Invalid API key'));
    await service
      .request('post', '/api/send/transactional')
      .set('Content-Type', 'application/json')
      .send('{broken')
      .expect(401, unauthorized('Missing API key'));
  });

  it('works while the use of the key cannot be recorded, and the fault is not lost', async () => {
    const { id, secret } = await create({});
    await service.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON api_keys FOR EACH ROW EXECUTE FUNCTION refuse()`);
    await call(secret).expect(400);
    const now = service.clock.now();
    const keys = service.app.get(ApiKeyRepository, { strict: false });
    await expect(keys.recordUseAcrossAccounts(id, now, now)).rejects.toThrow('refused');
    await service.query('DROP FUNCTION refuse CASCADE');
  });

  it('refuses a revoked key at once, and revoking again gives the same response', async () => {
    const { id, secret } = await create({});
    await call(secret).expect(400);
    const { body: first } = await account.asAdmin('delete', `/api/api-keys/${id}`).expect(200);
    await call(secret).expect(401, unauthorized('Invalid API key'));
    await account.asAdmin('delete', `/api/api-keys/${id}`).expect(200, first);
  });

  it('refuses an expired key, and a revoked and expired one as unknown', async () => {
    const { id, secret } = await create({ expiresAt: new Date(service.clock.now().getTime() + 60_000).toISOString() });
    await call(secret).expect(400);
    service.clock.advance({ minutes: 2 });
    await call(secret).expect(401, unauthorized('API key expired'));
    await account.asAdmin('delete', `/api/api-keys/${id}`).expect(200);
    await call(secret).expect(401, unauthorized('Invalid API key'));
  });

  it('takes the client address from the first hop and compares addresses, not texts', async () => {
    const { secret } = await create({ ipAllowlist: ['::1', '1.2.3.4', '2001:db8::1'] });
    for (const address of [
      '::1',
      '0:0:0:0:0:0:0:1',
      '::ffff:1.2.3.4',
      '1.2.3.4',
      '2001:DB8:0::1',
      '1.2.3.4, 9.9.9.9',
      '1.2.3.4:5678',
      '[::1]:80',
    ]) {
      await call(secret, address).expect(400);
    }
    for (const address of ['1.2.3.5', '9.9.9.9, 1.2.3.4', 'unknown', '1.2.3.4 OR', '0x1.2.3.4']) {
      await call(secret, address).expect(401, unauthorized('API key denied for this client IP'));
    }
    await call(secret).expect(401, unauthorized('API key denied for this client IP'));
  });

  it('checks known, expiry, address and scope in this order', async () => {
    const expiresAt = new Date(service.clock.now().getTime() + 60_000).toISOString();
    const { secret } = await create({ scopes: ['read_events'], ipAllowlist: ['1.2.3.4'], expiresAt });
    await call(secret, '1.2.3.4').expect(403, errorBody(403, 'API key is missing required scope: send'));
    await call(secret, '9.9.9.9').expect(401, unauthorized('API key denied for this client IP'));
    service.clock.advance({ minutes: 2 });
    await call(secret, '9.9.9.9').expect(401, unauthorized('API key expired'));
  });
});
