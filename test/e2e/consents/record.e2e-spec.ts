import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { newId } from '../../../src/shared/ids.js';
import type { TestAccount } from '../../support/account.js';
import { consentsOf, recordConsent, standingOf } from '../../support/consents.js';
import { badRequest } from '../../support/errors.js';
import { addTopic } from '../../support/topics.js';
import { TestService } from '../../support/service.js';

const EMAIL = 'Ada@Example.com';
const WORDING = 'I would like to get the newsletter.\nI can unsubscribe at any time.';

let service: TestService;
let account: TestAccount;

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.createAccount();
});

const unknownId = () => newId(service.clock.now());
const before = (days: number) => new Date(service.clock.now().getTime() - days * 86_400_000).toISOString();
const standing = async (query: object) =>
  (await account.asMember('get', '/api/consents/standing').query(query).expect(200)).body as object[];

describe('POST /api/consents', () => {
  it('records who agreed to which words, when and from where', async () => {
    const { body: contact } = await account.asAdmin('post', '/api/contacts').send({ email: 'ada@example.com' });
    const { id: apiKeyId, secret } = await account.createKey({ scopes: ['contacts:write'] });
    const occurredAt = before(10);
    const details = { wording: WORDING, ip: '2001:DB8::1', userAgent: 'Browser/1.0', evidence: 'Form 4711' };
    const { body } = await service
      .request('post', '/api/consents')
      .set('X-API-Key', secret)
      .send({ email: EMAIL, action: 'granted', occurredAt, ...details })
      .expect(201);
    expect(body).toEqual({
      ...{ id: expect.stringMatching(/^c[a-z0-9]{24}$/), channel: 'email', address: EMAIL, contactId: contact.id },
      ...{ purpose: 'marketing', topicId: null, action: 'granted', source: 'api', occurredAt },
      ...{ recordedAt: expect.any(String), wording: { version: null, text: WORDING }, formId: null },
      ...{ ip: '2001:db8::1', userAgent: 'Browser/1.0', messageLogId: null, evidence: 'Form 4711' },
      actor: { type: 'key', id: apiKeyId },
    });
    expect((await account.asMember('get', `/api/consents/${body.id}`).expect(200)).body).toEqual(body);
  });

  it('records what a user of the dashboard writes, of a phone number too', async () => {
    const { body } = await recordConsent(account, { phone: '(415) 555-0100', purpose: 'tracking' }).expect(201);
    expect(body).toMatchObject({ channel: 'sms', address: '+14155550100', purpose: 'tracking', source: 'dashboard' });
    expect(body).toMatchObject({ contactId: null, wording: null, actor: { type: 'user', id: expect.any(String) } });
    expect(body.occurredAt).toBe(body.recordedAt);
  });

  it.each([
    [{}, 'Give either email or phone'],
    [{ email: EMAIL, phone: '+14155550100' }, 'Give either email or phone'],
    [{ email: 'ada' }, 'email must be an email address'],
    [{ phone: '12' }, 'phone must be a phone number in E.164 format or of 10 digits (US)'],
    [{ email: EMAIL, action: 'requested' }, 'action must be granted or withdrawn'],
    [{ email: EMAIL, purpose: 'sales' }, 'purpose must be marketing or tracking'],
    [{ email: EMAIL, topicId: 'news' }, 'topicId must be an id'],
    [
      { email: EMAIL, purpose: 'tracking', topicId: `c${'1'.repeat(24)}` },
      'topicId must not be given with purpose tracking',
    ],
    [{ email: EMAIL, occurredAt: 'yesterday' }, 'occurredAt must be an ISO 8601 date or date-time'],
    [{ email: EMAIL, occurredAt: '1969-12-31' }, 'occurredAt must not be before 1970'],
    [{ email: EMAIL, wording: ' \n' }, 'wording must not be blank'],
    [{ email: EMAIL, wording: 'w'.repeat(2_001) }, 'wording must be shorter than or equal to 2000 characters'],
    [{ email: EMAIL, evidence: 'e'.repeat(2_001) }, 'evidence must be shorter than or equal to 2000 characters'],
    [{ email: EMAIL, wording: 'a\0b' }, 'wording holds a character that cannot be stored'],
    [{ email: EMAIL, evidence: '\ud800' }, 'evidence holds a character that cannot be stored'],
    [{ email: EMAIL, ip: 'localhost' }, 'ip must be an IPv4 or IPv6 address'],
    [{ email: EMAIL, ip: '10.0.0.0/8' }, 'ip must be an IPv4 or IPv6 address'],
    [{ email: EMAIL, formId: 'x' }, 'formId is not a known field'],
  ])('refuses %j', async (fields, message) => {
    const { body } = await recordConsent(account, fields).expect(400);
    expect(body).toEqual(badRequest(expect.stringContaining(message) as unknown as string));
    expect(await consentsOf(account)).toEqual([]);
  });

  it('refuses a time in the future, except one of a clock that is a few seconds ahead', async () => {
    await recordConsent(account, { email: EMAIL, occurredAt: before(-1) }).expect(
      400,
      badRequest('occurredAt must not be in the future'),
    );
    const ahead = new Date(service.clock.now().getTime() + 5_000).toISOString();
    const { body } = await recordConsent(account, { email: EMAIL, occurredAt: ahead }).expect(201);
    expect(body.occurredAt <= body.recordedAt).toBe(true);
  });

  it('takes wording of 2,000 characters', async () => {
    const { body } = await recordConsent(account, { email: EMAIL, wording: 'ü'.repeat(2_000) }).expect(201);
    expect(body.wording.text).toHaveLength(2_000);
  });

  it('needs the scope contacts:write, or an admin', async () => {
    const { secret } = await account.createKey({ scopes: ['contacts:read'] });
    const request = { email: EMAIL, action: 'granted' };
    await service.request('post', '/api/consents').set('X-API-Key', secret).send(request).expect(403);
    await account.asMember('post', '/api/consents').send(request).expect(403);
    await service.request('get', '/api/consents').set('X-API-Key', secret).expect(200);
    const { secret: other } = await account.createKey({ scopes: ['send'] });
    for (const path of ['', '/standing?email=ada@example.com', `/${unknownId()}`])
      await service.request('get', `/api/consents${path}`).set('X-API-Key', other).expect(403);
  });

  it('lifts no suppression and suppresses nobody', async () => {
    await account.asAdmin('post', '/api/suppressions').send({ email: EMAIL }).expect(201);
    await recordConsent(account, { email: EMAIL }).expect(201);
    await recordConsent(account, { email: 'bob@example.com', action: 'withdrawn' }).expect(201);
    const { body } = await account.asMember('get', '/api/suppressions').expect(200);
    expect(body.items).toMatchObject([{ address: EMAIL, reason: 'manual' }]);
  });
});

describe('GET /api/consents/standing', () => {
  it('is what occurred last, in whatever order it was recorded', async () => {
    await recordConsent(account, { email: EMAIL, action: 'withdrawn', occurredAt: before(1) }).expect(201);
    expect(await standingOf(account, { email: 'ADA@example.com' })).toBe('withdrawn');
    await recordConsent(account, { email: EMAIL, occurredAt: before(2) }).expect(201);
    expect(await standingOf(account, { email: EMAIL })).toBe('withdrawn');
    const { body } = await recordConsent(account, { email: EMAIL }).expect(201);
    expect(await standing({ email: EMAIL })).toEqual([
      { purpose: 'marketing', topicId: null, state: 'granted', since: body.occurredAt, consentId: body.id },
      { purpose: 'tracking', topicId: null, state: 'none', since: null, consentId: null },
    ]);
  });

  it('takes the later record of two with the same time', async () => {
    const occurredAt = before(1);
    for (const action of ['granted', 'withdrawn', 'granted', 'withdrawn'])
      await recordConsent(account, { email: EMAIL, action, occurredAt }).expect(201);
    expect(await standingOf(account, { email: EMAIL })).toBe('withdrawn');
  });

  it('lets a record without topic count for every topic without a later one', async () => {
    const { id: news } = await addTopic(account);
    const { id: offers } = await addTopic(account, { name: 'Offers' });
    const record = (action: string, days: number, topicId: string | null = null) =>
      recordConsent(account, { email: EMAIL, action, topicId, occurredAt: before(days) }).expect(201);
    const states = async () =>
      Object.fromEntries(
        ((await standing({ email: EMAIL })) as { purpose: string; topicId: string | null; state: string }[])
          .filter(({ purpose }) => purpose === 'marketing')
          .map(({ topicId, state }) => [topicId, state]),
      );
    await record('granted', 9, news);
    await record('granted', 5);
    await record('withdrawn', 7, offers);
    expect(await states()).toEqual({ null: 'granted', [news]: 'granted', [offers]: 'granted' });
    await record('withdrawn', 3, offers);
    expect(await states()).toEqual({ null: 'granted', [news]: 'granted', [offers]: 'withdrawn' });
    await record('withdrawn', 1);
    expect(await states()).toEqual({ null: 'withdrawn', [news]: 'withdrawn', [offers]: 'withdrawn' });
  });

  it('needs exactly one address', async () => {
    for (const query of [{}, { email: EMAIL, phone: '+14155550100' }])
      await account
        .asMember('get', '/api/consents/standing')
        .query(query)
        .expect(400, badRequest('Give either email or phone'));
  });
});

describe('GET /api/consents', () => {
  it('lists records newest first, page by page, and filters them', async () => {
    const { id: news } = await addTopic(account);
    await recordConsent(account, { email: EMAIL, topicId: news }).expect(201);
    await recordConsent(account, { email: EMAIL, action: 'withdrawn', purpose: 'tracking' }).expect(201);
    await recordConsent(account, { phone: '+14155550100' }).expect(201);
    const all = await consentsOf(account);
    expect(all).toHaveLength(3);
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .toSorted()
        .reverse(),
    );
    const { body: first } = await account.asMember('get', '/api/consents?limit=2').expect(200);
    const { body: second } = await account
      .asMember('get', '/api/consents')
      .query({ limit: 2, cursor: first.nextCursor })
      .expect(200);
    expect([...first.items, ...second.items]).toEqual(all);
    expect(second.nextCursor).toBeNull();
    const found = async (query: object) => (await consentsOf(account, query)).map(({ id }) => id);
    const [sms, tracking, marketing] = all.map(({ id }) => id);
    expect(await found({ email: 'ada@EXAMPLE.com' })).toEqual([tracking, marketing]);
    expect(await found({ phone: '415 555 0100' })).toEqual([sms]);
    expect(await found({ topicId: news })).toEqual([marketing]);
    expect(await found({ purpose: 'tracking' })).toEqual([tracking]);
    expect(await found({ action: 'granted' })).toEqual([sms, marketing]);
    const today = service.clock.now().toISOString().slice(0, 10);
    expect(await found({ from: before(1), to: before(-1) })).toEqual([sms, tracking, marketing]);
    expect(await found({ from: before(0).slice(0, 10), to: today })).toHaveLength(3);
    expect(await found({ to: before(1) })).toEqual([]);
    expect(await found({ from: before(-1) })).toEqual([]);
  });

  it.each([
    ['cursor=nonsense', 'cursor must be the nextCursor of an earlier page'],
    ['from=2026-02-01&to=2026-01-01', 'from must not be after to'],
    ['action=none', 'action must be one of requested, granted, withdrawn'],
    ['limit=101', 'limit must not be greater than 100'],
    ['email=ada@example.com&phone=%2B14155550100', 'Give either email or phone'],
  ])('refuses %s', async (query, message) => {
    await account.asMember('get', `/api/consents?${query}`).expect(400, badRequest(message));
  });
});

describe('GET /api/consents/export', () => {
  it('is a CSV of all records of one person, with the words as they were, for admins', async () => {
    const wording = '=HYPERLINK("http://evil.example","x")';
    const { body } = await recordConsent(account, { email: EMAIL, wording, ip: '192.0.2.1' }).expect(201);
    await recordConsent(account, { email: 'bob@example.com' }).expect(201);
    await account.asMember('get', '/api/consents/export').query({ email: EMAIL }).expect(403);
    const { text, headers } = await account.asAdmin('get', '/api/consents/export').query({ email: EMAIL }).expect(200);
    expect(headers['content-disposition']).toBe('attachment; filename="consents.csv"');
    expect(text.trim().split('\n')).toEqual([
      'id,occurredAt,recordedAt,channel,address,contactId,purpose,topicId,action,source,wordingVersion,wording,formId,ip,' +
        'userAgent,messageLogId,evidence,actorType,actorId',
      `${body.id},${body.occurredAt},${body.recordedAt},email,${EMAIL},,marketing,,granted,dashboard,,` +
        `"'${wording.replaceAll('"', '""')}",,192.0.2.1,,,,user,${body.actor.id}`,
    ]);
  });

  it('exports more records than a batch holds, each once', async () => {
    await service.query(
      `INSERT INTO consent_records (id, account_id, channel, address, purpose, action, source, occurred_at, recorded_at, actor_type)
       SELECT left($2, 9) || lpad(n::text, 16, '0'), $1, 'email', 'ada@example.com', 'marketing', 'granted', 'api', now(), now(),
         'system'
       FROM generate_series(1, 1001) n`,
      [account.id, newId(service.clock.now())],
    );
    const { text } = await account.asAdmin('get', '/api/consents/export').query({ email: EMAIL }).expect(200);
    const ids = text
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',')[0]);
    expect([ids.length, new Set(ids).size]).toEqual([1_001, 1_001]);
  });
});
