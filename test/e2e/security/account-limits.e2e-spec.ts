import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { raceForAccount } from '../../support/race.js';
import { TestService } from '../../support/service.js';

interface Kind {
  what: string;
  path: string;
  table: string;
  max: number;
  body: (name: string) => object;
  /** Columns, beside the id, that must differ between the rows of an account: an expression of `n`. */
  unique?: string;
}

const KINDS: Kind[] = [
  {
    ...{ what: 'templates', path: '/api/templates', table: 'templates', max: 1_000 },
    body: (name) => ({ name, subject: 'Hello', text: 'Hello' }),
  },
  {
    ...{ what: 'campaigns', path: '/api/campaigns', table: 'campaigns', max: 5_000 },
    body: (name) => ({ name, fromEmail: 'shop@example.com', subject: 'Hello', text: 'Hello' }),
  },
  {
    ...{ what: 'lists', path: '/api/lists', table: 'lists', max: 1_000 },
    body: (name) => ({ name }),
    unique: `'normalised_name', 'list ' || n`,
  },
  {
    ...{ what: 'domains', path: '/api/domains', table: 'domains', max: 500 },
    body: (name) => ({ name: `${name}.example.com` }),
    unique: `'name', 'd' || n || '.example.org', 'dkim_status', 'verified', 'spf_status', 'verified',
      'mail_from_status', 'verified'`,
  },
  {
    ...{ what: 'API keys that are not revoked', path: '/api/api-keys', table: 'api_keys', max: 200 },
    body: (name) => ({ name, scopes: ['send'] }),
    unique: `'secret_hash', '\\x' || encode(sha256((t.id || n)::bytea), 'hex')`,
  },
  {
    ...{ what: 'webhook endpoints', path: '/api/webhooks', table: 'webhook_endpoints', max: 50 },
    body: () => ({ url: 'https://example.com/hooks', events: ['contact.bounced'] }),
  },
];

describe('Limits of an account', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
  });

  const create = ({ path, body }: Kind, name: string, more: object = {}) =>
    account.asAdmin('post', path).send({ ...body(name), ...more });

  /** Copies of a row with ids of their own. */
  const copy = (kind: Kind, id: string, count: number) =>
    service.query(
      `INSERT INTO ${kind.table} SELECT (jsonb_populate_record(t, jsonb_build_object(
           'id', 'c' || left(md5(t.id || n), 24) ${kind.unique ? `, ${kind.unique}` : ''}))).*
       FROM ${kind.table} t CROSS JOIN generate_series(1, $2::integer) n WHERE t.id = $1`,
      [id, count],
    );

  it.each(KINDS)('are $max $what, also for concurrent requests', async (kind) => {
    const first = await create(kind, 'first').expect(201);
    await copy(kind, first.body.id as string, kind.max - 2);
    const responses = await raceForAccount(
      service,
      account.id,
      ['second', 'third'].map((name) => () => create(kind, name)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
    const refused = errorBody(409, `An account has at most ${kind.max} ${kind.what}`);
    await create(kind, 'fourth').expect(409, refused);
    await account.asAdmin('delete', `${kind.path}/${first.body.id}`).expect(200);
    await create(kind, 'fourth').expect(201);
    account = await service.createAccount();
    await create(kind, 'fifth').expect(201);
  });

  it('hold for a copy of a campaign, and for live and test keys together', async () => {
    const [campaigns, keys] = [KINDS[1] as Kind, KINDS[4] as Kind];
    const campaign = await create(campaigns, 'first').expect(201);
    await copy(campaigns, campaign.body.id as string, campaigns.max - 1);
    await account.asAdmin('post', `/api/campaigns/${campaign.body.id}/copy`).expect(409);
    const key = await create(keys, 'first').expect(201);
    await copy(keys, key.body.id as string, keys.max - 2);
    await create(keys, 'second', { mode: 'test' }).expect(201);
    await create(keys, 'third').expect(409);
    await create(keys, 'third', { mode: 'test' }).expect(409);
  });
});
