import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { MAX_UNVERIFIED_DOMAINS } from '../../../src/config/limits.js';
import type { TestAccount } from '../../support/account.js';
import { DomainFixture, SES } from '../../support/domain-fixture.js';
import { errorBody } from '../../support/errors.js';
import { raceBehind } from '../../support/race.js';

describe('The name of a domain', () => {
  let fixture: DomainFixture;
  let squatter: TestAccount;
  let owner: TestAccount;
  let name: string;
  let number = 0;

  beforeAll(async () => {
    fixture = await DomainFixture.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    fixture.reset();
    name = `squatted${(number += 1)}.example.com`;
    [squatter, owner] = [await fixture.service.createAccount(), await fixture.service.createAccount()];
  });

  const add = (account: TestAccount, text = name) => account.asAdmin('post', '/api/domains').send({ name: text });
  const added = async (account: TestAccount) => (await add(account).expect(201)).body;
  const verify = (account: TestAccount, { id }: { id: string }) =>
    account.asAdmin('post', `/api/domains/${id}/verify`).expect(200);
  const taken = (text: string) => `${text} belongs to another account of this installation`;

  it('that is pending in another account can be added and verified by its owner', async () => {
    const squatted = await added(squatter);
    const owned = await added(owner);
    fixture.publish(owned);
    expect((await verify(owner, owned)).body.status).toBe('verified');
    expect((await verify(squatter, squatted)).body.status).toBe('pending');
    expect((await squatter.asAdmin('get', '/api/domains')).body.total).toBe(1);
    await add(await fixture.service.createAccount()).expect(409, errorBody(409, taken(name)));
  });

  it('is verified for one of two accounts that verify it concurrently', async () => {
    const domains = [await added(squatter), await added(owner)];
    for (const domain of domains) fixture.publish(domain, ['MX']);
    for (const domain of domains) fixture.publish({ records: [domain.records[0]] });
    fixture.dns.set(name, 'TXT', [domains[0].records[1].value]);
    const answers = await raceBehind(
      fixture.service,
      () => fixture.service.query('SELECT FROM domains WHERE name = $1 FOR UPDATE', [name]),
      [() => verify(squatter, domains[0]), () => verify(owner, domains[1])],
    );
    expect(answers.map(({ body }) => body.status).sort()).toEqual(['failed', 'verified']);
    const loser = answers.find(({ body }) => body.status === 'failed')!;
    expect(loser.body.dkim).toMatchObject({ status: 'failed', detail: taken(name) });
    expect(loser.body.spf.status).toBe('verified');
  });

  it('can be verified by another account once the first no longer has it verified', async () => {
    const first = await added(squatter);
    fixture.publish(first);
    await verify(squatter, first);
    await squatter.asAdmin('delete', `/api/domains/${first.id}`).expect(200);
    const second = await added(owner);
    fixture.publish(second);
    expect((await verify(owner, second)).body.status).toBe('verified');
  });

  it(`is one of ${MAX_UNVERIFIED_DOMAINS} at most that an account has not verified, exactly`, async () => {
    await fixture.service.query(
      `INSERT INTO domains (id, account_id, name, created_at)
       SELECT 'd' || n || $1, $1, 'd' || n || '.example.net', now() FROM generate_series(4, $2) n`,
      [squatter.id, MAX_UNVERIFIED_DOMAINS],
    );
    const answers = await Promise.all(Array.from({ length: 6 }, (_, i) => add(squatter, `${i}.${name}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409]);
    await add(squatter).expect(
      409,
      errorBody(409, 'The account has 50 domains that are not verified; verify or delete some first'),
    );
    await add(owner).expect(201);
  });

  it('keeps its identity in SES when another account of the same AWS account deletes it', async () => {
    for (const account of [squatter, owner]) await fixture.useSes(account);
    const [first] = [await added(squatter), await added(owner)];
    await squatter.asAdmin('delete', `/api/domains/${first.id}`).expect(200);
    expect(fixture.aws.account(SES.accessKeyId).identities.find(name)).toBeDefined();
  });
});
