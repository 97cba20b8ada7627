import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { RetainMessages } from '../../../src/modules/messages/application/retain-messages.service.js';
import type { TestAccount, TestKey } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { postEmail } from '../../support/send-email.js';
import type { TestService } from '../../support/service.js';
import { RECIPIENT, SmsFixture } from '../../support/sms-fixture.js';

const SENDER = 'shop@example.com';
const CONFLICT = errorBody(409, 'Idempotency-Key was used for another request within 24 hours');

describe('Idempotency-Key', () => {
  let fixture: SmsFixture;
  let service: TestService;
  let account: TestAccount;
  let key: TestKey;

  beforeAll(async () => {
    fixture = await SmsFixture.start({ ROLE: 'api' });
    service = fixture.service;
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    account = await service.createAccount({ dailySendCap: 10 });
    await account.verifySender(SENDER);
    key = await account.createKey();
  });

  const post = (idempotencyKey: string, mail: object = {}, from = key) =>
    postEmail(service, from.secret, { text: 'Hello', ...mail }).set('Idempotency-Key', idempotencyKey);
  const rows = async (table: string, of = account) =>
    Number(
      (await service.query<{ n: string }>(`SELECT count(*) AS n FROM ${table} WHERE account_id = $1`, [of.id]))[0]!.n,
    );
  const used = async () =>
    (await service.query<{ used: number }>('SELECT used FROM daily_usage WHERE subject_id = $1', [account.id]))[0]
      ?.used;

  it('answers a repeated request like the first one, and sends and counts it once', async () => {
    const first = await post('order-1').expect(201);
    const again = await post('order-1').expect(201);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    expect(again.headers['x-ratelimit-remaining']).toBe('9');
    expect([await rows('message_logs'), await rows('pending_deliveries'), await used()]).toEqual([1, 1, 1]);
  });

  it('ignores the order of fields', async () => {
    const { body } = await post('order-1', { variables: { a: 1, b: 2 } }).expect(201);
    const again = await post('order-1', { variables: { b: 2, a: 1 } }).expect(201);
    expect(again.body).toEqual(body);
  });

  it('refuses another body with 409, and sends nothing', async () => {
    await post('order-1').expect(201);
    const { body } = await post('order-1', { text: 'Something else' }).expect(409);
    expect(body).toEqual(CONFLICT);
    expect([await rows('message_logs'), await used()]).toEqual([1, 1]);
  });

  it('creates one message for 50 concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => post('order-1')));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 201));
    expect(new Set(answers.map(({ body }) => body.messageLogId as string)).size).toBe(1);
    expect([await rows('message_logs'), await rows('pending_deliveries'), await used()]).toEqual([1, 1, 1]);
  });

  it('accepts one of two different bodies sent concurrently and refuses the other', async () => {
    const texts = Array.from({ length: 20 }, (_, i) => ({ text: i % 2 ? 'One' : 'Other' }));
    const answers = await Promise.all(texts.map((mail) => post('order-1', mail)));
    const byText = new Map(answers.map(({ status }, i) => [texts[i]!.text, status]));
    expect([...byText.values()].sort()).toEqual([201, 409]);
    expect(await rows('message_logs')).toBe(1);
  });

  it('repeats the answer for the last message of the day, when a new one is refused', async () => {
    key = await account.createKey({ dailyLimit: 1 });
    const { body } = await post('order-1').expect(201);
    expect((await post('order-1').expect(201)).body).toEqual(body);
    await post('order-2').expect(400);
    await post('order-1', { text: 'Something else' }).expect(409);
    expect(await rows('idempotency_keys')).toBe(1);
  });

  it('creates one message for 50 concurrent requests if one is left today, and refuses no other request for them', async () => {
    key = await account.createKey({ dailyLimit: 1 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => post('order-1')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    key = await account.createKey({ dailyLimit: 2 });
    const both = await Promise.all(Array.from({ length: 20 }, (_, i) => post(i === 19 ? 'order-2' : 'order-1')));
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await used()).toBe(3);
  });

  it('repeats the answer if the recipient has been suppressed since', async () => {
    const { body } = await post('order-1').expect(201);
    await account.asAdmin('post', '/api/suppressions').send({ email: 'ada@example.org' }).expect(201);
    expect((await post('order-1').expect(201)).body).toEqual(body);
    await post('order-2').expect(400);
  });

  it('does not store a refused request, so that it may succeed later', async () => {
    await account.asAdmin('post', '/api/suppressions').send({ email: 'ada@example.org' }).expect(201);
    await post('order-1').expect(400);
    await post('order-1', { html: 5 }).expect(400);
    expect(await rows('idempotency_keys')).toBe(0);
    await service.query('DELETE FROM suppressions WHERE account_id = $1', [account.id]);
    await post('order-1', { text: 'Something else' }).expect(201);
  });

  it('is separate for each API key, and so for each account', async () => {
    const other = await service.createAccount();
    await other.verifySender(SENDER);
    const [first, second, third] = await Promise.all([
      post('order-1'),
      post('order-1', {}, await account.createKey()),
      post('order-1', { text: 'Something else' }, await other.createKey()),
    ]);
    for (const { status } of [first, second, third]) expect(status).toBe(201);
    expect([await rows('message_logs'), await rows('message_logs', other)]).toEqual([2, 1]);
  });

  it('can be used for another request after 24 hours, and is purged then', async () => {
    const { body } = await post('order-1').expect(201);
    await post('order-2').expect(201);
    service.clock.advance({ hours: 23, minutes: 59 });
    expect((await post('order-1').expect(201)).body).toEqual(body);
    service.clock.advance({ minutes: 2 });
    const later = await post('order-1', { text: 'Something else' }).expect(201);
    expect(later.body).not.toEqual(body);
    expect(later.headers).not.toHaveProperty('idempotent-replayed');
    await post('order-1').expect(409);
    await service.app.get(RetainMessages, { strict: false }).purgeExpired();
    expect(await rows('idempotency_keys')).toBe(1);
    await post('order-1').expect(409);
  });

  it.each([
    ['empty', ''],
    ['of 256 characters', 'x'.repeat(256)],
    ['with a space', 'order 1'],
    ['with a letter beyond ASCII', 'ordér-1'],
  ])('is refused with 400 if it is %s', async (_, value) => {
    const { body } = await post(value).expect(400);
    expect(body).toEqual(errorBody(400, 'Idempotency-Key must be 1 to 255 visible ASCII characters'));
    expect(await rows('message_logs')).toBe(0);
  });

  it('may have 255 characters, and is checked after the key and its scope', async () => {
    await post('~'.repeat(255)).expect(201);
    await post('', {}, await account.createKey({ scopes: ['read_events'] })).expect(403);
  });

  it('adds no statement to a new send with or without it', async () => {
    const statementsOf = async (send: () => PromiseLike<unknown>) => {
      const spies = [jest.spyOn(service.database, 'prepared'), jest.spyOn(service.database, 'query')] as const;
      await send();
      const names = spies[0].mock.calls.map(([name]) => name);
      const others = spies[1].mock.calls.length;
      for (const spy of spies) spy.mockRestore();
      return { names, others };
    };
    await post('warm').expect(201);
    const plain = await statementsOf(() => postEmail(service, key.secret, { text: 'Hello' }).expect(201));
    const keyed = await statementsOf(() => post('order-1').expect(201));
    expect(plain.names).toContain('accept_messages');
    expect(keyed.names).toEqual(plain.names.map((name) => (name === 'accept_messages' ? `${name}_once` : name)));
    expect(keyed.others).toBe(plain.others);
  });

  it('is not stored for sends without it', async () => {
    await postEmail(service, key.secret, { text: 'Hello' }).expect(201);
    await postEmail(service, key.secret, { text: 'Hello' }).expect(201);
    expect([await rows('message_logs'), await rows('idempotency_keys')]).toEqual([2, 0]);
  });

  it('works for SMS, with the same segments', async () => {
    const { account: opened, key: smsKey } = await fixture.open({}, account);
    const text = { body: 'Your order is on its way 🎉'.repeat(4) };
    const first = await fixture.post(smsKey, text).set('Idempotency-Key', 'order-1').expect(201);
    expect(first.body).toMatchObject({ segments: 2, encoding: 'ucs2' });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => fixture.post(smsKey, text).set('Idempotency-Key', 'order-1')),
    );
    for (const { status, body } of answers) expect([status, body]).toEqual([201, first.body]);
    await fixture.post(smsKey).set('Idempotency-Key', 'order-1').expect(409);
    expect(await rows('message_logs', opened)).toBe(1);
  });

  it('is refused with 409 if it was used on the other endpoint', async () => {
    const { key: smsKey } = await fixture.open({}, account);
    await post('order-1', {}, smsKey).expect(201);
    const { body } = await fixture.post(smsKey, { to: RECIPIENT }).set('Idempotency-Key', 'order-1').expect(409);
    expect(body).toEqual(CONFLICT);
  });
});
