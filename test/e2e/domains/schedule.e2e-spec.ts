import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { DomainResponse } from '../../../src/modules/domains/http/domain.response.js';
import type { TestAccount, TestKey } from '../../support/account.js';
import { DomainFixture, SES } from '../../support/domain-fixture.js';
import { badRequest } from '../../support/errors.js';
import { postEmail } from '../../support/send-email.js';

describe('The schedule of domain checks', () => {
  let fixture: DomainFixture;
  let account: TestAccount;
  let domain: DomainResponse;
  let key: TestKey;
  let number = 0;

  beforeAll(async () => {
    fixture = await DomainFixture.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    fixture.reset();
    await fixture.service.query('DELETE FROM domains');
    account = await fixture.service.createAccount();
    key = await account.createKey();
    domain = await add(account);
  });

  async function add(owner: TestAccount): Promise<DomainResponse> {
    const name = `due${(number += 1)}.example.com`;
    return (await owner.asAdmin('post', '/api/domains').send({ name }).expect(201)).body;
  }
  const read = async (): Promise<DomainResponse> =>
    (await account.asMember('get', `/api/domains/${domain.id}`).expect(200)).body;
  const advance = (by: { hours?: number; minutes?: number }) => {
    fixture.service.clock.advance(by);
  };
  /** Minutes until the domain is due. */
  async function minutesToNext(): Promise<number> {
    const [row] = await fixture.service.query<{ next: Date }>(
      'SELECT next_check_at AS next FROM domains WHERE id = $1',
      [domain.id],
    );
    return Math.round((row!.next.getTime() - fixture.service.clock.now().getTime()) / 60_000);
  }
  const send = () => postEmail(fixture.service, key.secret, { fromEmail: `shop@${domain.name}`, text: 'Hello' });
  const refused = () => badRequest(`shop@${domain.name} is not verified for sending`);

  it('checks a new domain every five minutes, later every hour, and a verified one daily', async () => {
    expect(await minutesToNext()).toBe(5);
    expect(await fixture.checkDueDomains()).toBe(0);
    advance({ minutes: 6 });
    expect(await fixture.checkDueDomains()).toBe(1);
    expect((await read()).dkim.checkedAt).not.toBeNull();
    expect(await minutesToNext()).toBe(5);
    advance({ hours: 7 });
    expect(await fixture.checkDueDomains()).toBe(1);
    expect(await minutesToNext()).toBe(60);
    fixture.publish(domain);
    advance({ hours: 2 });
    expect(await fixture.checkDueDomains()).toBe(1);
    expect(await read()).toMatchObject({ status: 'verified' });
    expect(await minutesToNext()).toBe(24 * 60);
    expect(await fixture.checkDueDomains()).toBe(0);
  });

  it('fails a domain after three days, and verifies it as soon as its records are published', async () => {
    advance({ hours: 71 });
    await fixture.checkDueDomains();
    expect(await read()).toMatchObject({ status: 'pending' });
    advance({ hours: 2 });
    await fixture.checkDueDomains();
    expect(await read()).toMatchObject({ status: 'failed', dkim: { status: 'failed' } });
    expect(await minutesToNext()).toBe(24 * 60);
    fixture.publish(domain);
    await account.asAdmin('post', `/api/domains/${domain.id}/verify`).expect(200);
    expect(await read()).toMatchObject({ status: 'verified' });
  });

  it('fails a verified domain after two checks a day apart without a record, and refuses its messages', async () => {
    fixture.publish(domain);
    advance({ minutes: 6 });
    await fixture.checkDueDomains();
    await send().expect(201);

    fixture.dns.set(domain.name, 'TXT', []);
    const detail = `TXT at ${domain.name} is missing \`v=spf1\`: there is no SPF record`;
    advance({ hours: 24 });
    expect(await fixture.checkDueDomains()).toBe(1);
    expect(await read()).toMatchObject({ status: 'verified', spf: { status: 'verified', detail } });
    await send().expect(201);

    advance({ hours: 20 });
    await account.asAdmin('post', `/api/domains/${domain.id}/verify`).expect(200);
    expect(await read()).toMatchObject({ status: 'verified' });
    expect(await minutesToNext()).toBe(4 * 60);

    advance({ hours: 5 });
    expect(await fixture.checkDueDomains()).toBe(1);
    expect(await read()).toMatchObject({ status: 'failed', spf: { status: 'failed', detail } });
    await send().expect(400, refused());
  });

  it('keeps a domain verified if a record is back within a day, or if DNS does not answer', async () => {
    fixture.publish(domain);
    advance({ minutes: 6 });
    await fixture.checkDueDomains();
    for (const isThere of [false, true, false]) {
      fixture.dns.reset();
      fixture.publish(domain, isThere ? ['TXT', 'MX'] : ['TXT']);
      advance({ hours: 25 });
      expect(await fixture.checkDueDomains()).toBe(1);
      expect(await read()).toMatchObject({ status: 'verified' });
    }
    fixture.dns.fail(domain.name, 'servfail');
    advance({ hours: 25 });
    await fixture.checkDueDomains();
    expect(await read()).toMatchObject({ status: 'verified' });
  });

  it('fails a domain when SES stops verifying it', async () => {
    account = await fixture.createSesAccount();
    domain = await add(account);
    fixture.publish(domain);
    const identity = fixture.aws.account(SES.accessKeyId).identities.verify(domain.name);
    advance({ minutes: 6 });
    await fixture.checkDueDomains();
    expect(await read()).toMatchObject({ status: 'verified' });
    for (const status of ['verified', 'failed']) {
      identity.dkimStatus = 'FAILED';
      advance({ hours: 25 });
      await fixture.checkDueDomains();
      expect(await read()).toMatchObject({ status });
    }
  });

  it('checks each domain once if several processes run concurrently', async () => {
    for (let n = 0; n < 5; n++) await add(account);
    advance({ minutes: 6 });
    const counts = await Promise.all([1, 2, 3].map(() => fixture.checkDueDomains()));
    expect(counts.reduce((sum, count) => sum + count)).toBe(6);
    expect(await fixture.checkDueDomains()).toBe(0);
  });

  it('registers domains with a new provider of their account before their next check is due', async () => {
    fixture.publish(domain);
    await account.asAdmin('post', `/api/domains/${domain.id}/verify`).expect(200);
    expect(await fixture.checkDueDomains()).toBe(0);
    await fixture.useSes(account);
    fixture.aws.answer = () => ({ status: 403, error: 'AccessDeniedException', message: 'No' });
    expect(await fixture.checkDueDomains()).toBe(1);
    expect(await fixture.checkDueDomains()).toBe(0);
    expect(await read()).toMatchObject({ status: 'verified', records: domain.records });
    fixture.aws.answer = () => undefined;
    advance({ minutes: 11 });
    expect(await fixture.checkDueDomains()).toBe(1);
    expect(await read()).toMatchObject({ status: 'pending', records: [{ type: 'CNAME' }, {}, {}, {}, {}] });
    await send().expect(400, refused());
    expect(await fixture.checkDueDomains()).toBe(0);
  });

  it.each([
    ['region', { ...SES, region: 'us-east-1' }],
    ['access key', { ...SES, accessKeyId: 'AKIAOTHER', secretAccessKey: 'other' }],
  ])('registers domains again for another %s', async (_, ses) => {
    account = await fixture.createSesAccount();
    domain = await add(account);
    fixture.publish(domain);
    fixture.aws.account(SES.accessKeyId).identities.verify(domain.name);
    await account.asAdmin('post', `/api/domains/${domain.id}/verify`).expect(200);
    expect(await fixture.checkDueDomains()).toBe(0);
    // The fake has the same identities in every region.
    fixture.aws.account(SES.accessKeyId).identities.delete(domain.name);
    await fixture.useSes(account, ses);
    expect(await fixture.checkDueDomains()).toBe(1);
    expect(await read()).toMatchObject({ status: 'pending' });
    expect(fixture.aws.account(ses.accessKeyId).identities.find(domain.name)).toBeDefined();
    expect(await fixture.checkDueDomains()).toBe(0);
  });

  it('continues with the other domains if one cannot be registered', async () => {
    const smtp = await fixture.service.createAccount();
    const other = await add(smtp);
    fixture.publish(other);
    await fixture.useSes(account);
    fixture.aws.answer = () => ({ status: 403, error: 'AccessDeniedException', message: 'No' });
    advance({ minutes: 6 });
    expect(await fixture.checkDueDomains()).toBe(2);
    const { body } = await smtp.asMember('get', `/api/domains/${other.id}`).expect(200);
    expect(body.status).toBe('verified');
    expect(await minutesToNext()).toBe(10);
  });
});
