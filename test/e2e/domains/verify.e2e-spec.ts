import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { DomainResponse } from '../../../src/modules/domains/http/domain.response.js';
import { SenderDirectory } from '../../../src/modules/senders/index.js';
import type { TestAccount } from '../../support/account.js';
import { DomainFixture } from '../../support/domain-fixture.js';
import { errorBody } from '../../support/errors.js';

let fixture: DomainFixture;
let account: TestAccount;
let domain: DomainResponse;
let number = 0;

const RELAY = 'relay.example.net';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const TEXT = expect.any(String);
const verified = { status: 'verified', checkedAt: TIME, detail: null };
const pending = (detail: unknown) => ({ status: 'pending', checkedAt: TIME, detail });

async function add(name: string): Promise<DomainResponse> {
  const { body } = await account.asAdmin('post', '/api/domains').send({ name }).expect(201);
  return body;
}
const verify = async (id = domain.id): Promise<DomainResponse> =>
  (await account.asAdmin('post', `/api/domains/${id}/verify`).expect(200)).body;
const record = (purpose: string) => domain.records.find((one) => one.purpose === purpose)!;
const key = () => record('dkim').name;
const keyValue = () => record('dkim').value;
const stopAtStartOfMinute = () => {
  const { clock } = fixture.service;
  clock.freeze();
  clock.advance({ seconds: 60 - clock.now().getUTCSeconds() });
};

beforeAll(async () => {
  fixture = await DomainFixture.start();
});
afterAll(() => fixture.stop());
beforeEach(async () => {
  fixture.reset();
  fixture.service.clock.unfreeze();
  account = await fixture.service.createAccount();
  await fixture.useSmtp(account, { host: RELAY });
  domain = await add(`mail${(number += 1)}.example.com`);
});

describe('POST /api/domains/:id/verify of an SMTP account', () => {
  it('verifies a domain whose records are published as listed, and allows the account to send', async () => {
    const directory = fixture.service.app.get(SenderDirectory, { strict: false });
    await expect(directory.requireVerified(account.id, `ada@${domain.name}`)).rejects.toThrow('is not verified');
    fixture.publish(domain);
    const answer = await verify();
    const checks = { dkim: verified, spf: verified, mailFrom: verified, dmarc: expect.any(Object) };
    expect(answer).toEqual({ ...domain, status: 'verified', ...checks });
    const { body } = await account.asMember('get', `/api/domains/${domain.id}`).expect(200);
    expect(body).toEqual(answer);
    await directory.requireVerified(account.id, `ada@${domain.name}`);
  });

  it.each([
    [{ host: 'smtp.sendgrid.net', vendor: 'sendgrid' }],
    [{ host: 'smtp.mailgun.org', vendor: 'mailgun' }],
    [{ host: 'smtp.postmarkapp.com', vendor: 'postmark' }],
    [{ host: 'smtp.resend.com', vendor: 'resend' }],
    [{ host: '192.0.2.7' }],
    [{ host: '2001:db8::7' }],
    [null],
  ])('verifies the records listed for the relay %j', async (smtp) => {
    account = await fixture.service.createAccount();
    if (smtp) await fixture.useSmtp(account, smtp);
    domain = await add(`mail${(number += 1)}.example.com`);
    fixture.publish(domain);
    expect(await verify()).toMatchObject({ status: 'verified' });
  });

  it('names what is missing for each check', async () => {
    expect(await verify()).toMatchObject({
      status: 'pending',
      dkim: pending(`TXT at ${key()} is missing`),
      spf: pending(`TXT at ${domain.name} is missing \`v=spf1\`: there is no SPF record`),
      mailFrom: pending(`MX at ${domain.name} is missing: bounces could not come back`),
    });
  });

  it('looks for the DMARC record, which is no condition', async () => {
    fixture.publish(domain);
    const { status, dmarc } = await verify();
    const detail = `TXT at _dmarc.${domain.name} is missing: publish \`v=DMARC1; p=none\` or a stricter policy`;
    expect({ status, dmarc }).toEqual({
      ...{ status: 'verified', dmarc: { status: 'missing', policy: null, detail, checkedAt: TEXT } },
    });
    fixture.dns.set('_dmarc.example.com', 'TXT', ['v=DMARC1; p=quarantine; sp=none']);
    const inherited = { status: 'found', policy: 'none', detail: 'It is inherited from _dmarc.example.com' };
    expect((await verify()).dmarc).toMatchObject(inherited);
    fixture.dns.fail('_dmarc.example.com', 'servfail');
    expect((await verify()).dmarc).toMatchObject({
      ...inherited,
      detail: expect.stringMatching(/^DNS did not answer/),
    });
    const { body } = await account.asMember('get', '/api/domains').expect(200);
    expect(body.items[0].dmarc.status).toBe('found');
  });

  it('verifies each check on its own', async () => {
    fixture.publish(domain, ['MX']);
    expect(await verify()).toMatchObject({
      status: 'pending',
      dkim: pending(TEXT),
      spf: pending(TEXT),
      mailFrom: verified,
    });
    fixture.publish(domain, ['TXT']);
    expect(await verify()).toMatchObject({ status: 'verified', dkim: verified, spf: verified });
  });

  const mechanism = `a:${RELAY}`;
  it('finds SPF in several character-strings', async () => {
    fixture.dns.set(domain.name, 'TXT', [['v=spf1 include:_spf.exa', `mple.org ${mechanism}`, ' ~all']]);
    expect((await verify()).spf).toEqual(verified);
  });

  it('is not misled by wildcard records', async () => {
    fixture.dns.set(`*.${domain.name}`, 'TXT', ['v=spf1 -all']);
    fixture.dns.set(`*.${domain.name}`, 'MX', [{ priority: 1, exchange: 'mx.example.com' }]);
    fixture.dns.set('*.example.com', 'TXT', [`v=spf1 ${mechanism} ~all`]);
    expect(await verify()).toMatchObject({
      dkim: pending(`TXT at ${key()} is not a DKIM record. Publish the record as it is listed`),
      spf: { status: 'pending' },
      mailFrom: { status: 'pending' },
    });
    fixture.dns.reset();
    fixture.dns.set('*.example.com', 'TXT', [keyValue(), `v=spf1 ${mechanism} ~all`]);
    fixture.dns.set('*.example.com', 'MX', [{ priority: 1, exchange: 'mx.example.com' }]);
    expect(await verify()).toMatchObject({ status: 'verified' });
  });

  it('accepts any MX except the null MX', async () => {
    fixture.dns.set(domain.name, 'MX', [{ priority: 0, exchange: '.' }]);
    expect((await verify()).mailFrom).toEqual(
      pending(`MX at ${domain.name} says that it takes no mail (RFC 7505): bounces could not come back`),
    );
    fixture.dns.set(domain.name, 'MX', [{ priority: 5, exchange: 'mx.elsewhere.example' }]);
    expect((await verify()).mailFrom).toEqual(verified);
  });

  it.each([
    ['timeout', 'time-out'],
    ['servfail', 'SERVFAIL'],
    ['refused', 'REFUSED'],
  ] as const)('keeps the status if DNS fails with %s', async (fault, words) => {
    fixture.publish(domain);
    await verify();
    fixture.dns.fail(domain.name, fault);
    const fresh = await add(`mail${(number += 1)}.example.com`);
    fixture.dns.fail(fresh.name, fault);
    const [kept, stillPending] = await Promise.all([verify(), verify(fresh.id)]);
    const detail = `DNS did not answer: ${words} (${domain.name})`;
    expect(kept).toMatchObject({ status: 'verified', spf: { status: 'verified', detail }, mailFrom: { detail } });
    expect(stillPending.spf).toEqual(pending(`DNS did not answer: ${words} (${fresh.name})`));
  });

  it('uses the current relay of the account', async () => {
    fixture.publish(domain);
    await verify();
    await fixture.useSmtp(account, { host: 'smtp.sendgrid.net', vendor: 'sendgrid' });
    const changed = await verify();
    expect(changed.records[1]!.value).toBe('v=spf1 include:sendgrid.net ~all');
    expect(changed).toMatchObject({
      status: 'verified',
      dkim: verified,
      spf: { status: 'verified', detail: `TXT at ${domain.name} is missing \`include:sendgrid.net\`` },
    });
  });

  it('is limited to 60 requests of an account per minute', async () => {
    const post = (as = account, id = domain.id) => as.asAdmin('post', `/api/domains/${id}/verify`);
    stopAtStartOfMinute();
    for (let i = 0; i < 60; i++) await post().expect(200);
    fixture.service.clock.advance({ seconds: 10 });
    const { headers } = await post().expect(429, errorBody(429, 'An account can check its domains 60 times a minute'));
    expect(headers['retry-after']).toBe('50');
    await post(await fixture.service.createAccount()).expect(404);
    fixture.service.clock.advance({ seconds: 50 });
    await post().expect(200);
  });

  it('gives concurrent requests the same answer', async () => {
    fixture.publish(domain);
    const answers = await Promise.all([1, 2, 3, 4].map(() => verify()));
    expect(answers.map(({ status }) => status)).toEqual(['verified', 'verified', 'verified', 'verified']);
  });

  it('answers 404 for a domain that is deleted while it is checked', async () => {
    fixture.dns.fail(domain.name, 'servfail');
    const verifying = account.asAdmin('post', `/api/domains/${domain.id}/verify`).then(({ status }) => status);
    await account.asAdmin('delete', `/api/domains/${domain.id}`).expect(200);
    expect([200, 404]).toContain(await verifying);
    expect(await fixture.service.query('SELECT FROM domains WHERE id = $1', [domain.id])).toEqual([]);
  });
});

describe('GET /api/domains', () => {
  it('lists the domains of the account, newest first', async () => {
    const second = await add(`mail${(number += 1)}.example.com`);
    await (
      await fixture.service.createAccount()
    )
      .asAdmin('post', '/api/domains')
      .send({ name: `o${number}.example.com` });
    const { body } = await account.asMember('get', '/api/domains').expect(200);
    expect(body).toEqual({ items: [second, domain], total: 2, page: 1, pageSize: 25, totalPages: 1 });
    const { body: page } = await account.asMember('get', '/api/domains?page=2&limit=1').expect(200);
    expect(page).toMatchObject({ items: [{ id: domain.id }], page: 2, totalPages: 2 });
    await account.asMember('get', '/api/domains?limit=101').expect(400);
  });
});
