import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { DomainResponse } from '../../../src/modules/domains/http/domain.response.js';
import type { TestAccount } from '../../support/account.js';
import { DomainFixture } from '../../support/domain-fixture.js';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let fixture: DomainFixture;
let account: TestAccount;
let domain: DomainResponse;

beforeAll(async () => {
  fixture = await DomainFixture.start();
});
afterAll(() => fixture.stop());
beforeEach(async () => {
  fixture.reset();
  account = await fixture.service.createAccount();
  await fixture.useSmtp(account, { host: 'relay.example.net' });
  domain = (await account.asAdmin('post', '/api/domains').send({ name: 'mail.example.co.uk' }).expect(201)).body;
});

const lookUp = () => account.asMember('get', `/api/domains/${domain.id}/published-records`);

describe('GET /api/domains/:id/published-records', () => {
  it('shows what DNS has at the names of the records, and leaves the checks as they are', async () => {
    const dkim = domain.records[0]!;
    fixture.dns.set(domain.name, 'TXT', ['v=spf1 -all', 'something else']);
    const { body } = await lookUp().expect(200);
    expect(body).toEqual({
      checkedAt: TIME,
      items: [
        { type: 'TXT', name: dkim.name, values: [] },
        { type: 'TXT', name: domain.name, values: expect.arrayContaining(['v=spf1 -all', 'something else']) },
        { type: 'MX', name: domain.name, values: [] },
      ],
    });
    expect((await account.asMember('get', `/api/domains/${domain.id}`).expect(200)).body).toEqual(domain);
  });

  it('says if DNS does not answer, and shows at most 20 values of 1,000 characters', async () => {
    const [dkim, spf] = domain.records;
    fixture.dns.fail(dkim!.name, 'servfail');
    fixture.dns.set(
      spf!.name,
      'TXT',
      Array.from({ length: 25 }, () => ['x'.repeat(250), 'x'.repeat(250), 'y'.repeat(250), 'z'.repeat(251)]),
    );
    const { items } = (await lookUp().expect(200)).body;
    expect(items[0].values).toBeNull();
    expect(items[1].values).toHaveLength(20);
    expect(items[1].values[0]).toHaveLength(1_000);
  });

  it('counts as a check of the account, of which there are 60 a minute', async () => {
    fixture.service.clock.advance({ seconds: 60 - fixture.service.clock.now().getUTCSeconds() });
    for (let i = 0; i < 60; i++) await lookUp().expect(200);
    await lookUp().expect(429);
  });
});
