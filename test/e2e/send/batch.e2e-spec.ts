import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { errorBody } from '../../support/errors.js';
import { RelayFixture, type SendingAccount, SENDER } from '../../support/relay-fixture.js';
import { inHours } from '../../support/schedules.js';
import { waitFor } from '../../support/wait-for.js';

interface Result {
  index: number;
  messageLogId?: string;
  copies?: { email: string; role: string; messageLogId: string }[];
  error?: { message: string; error: string; statusCode: number; code: string };
}

const mail = (fields: object = {}) => ({
  ...{ to: 'ada@example.org', fromEmail: SENDER, subject: 'Hello', text: 'Hello' },
  ...fields,
});
const mails = (count: number, fields: object = {}) =>
  Array.from({ length: count }, (_, i) => mail({ to: `r${i}@example.org`, ...fields }));
const badRequest = (message: string) => errorBody(400, message);
const OVER_CAP = errorBody(429, 'Daily send limit reached');
const OVER_LIMIT = badRequest('Daily send limit reached for this API key');

describe('POST /api/send/batch', () => {
  let fixture: RelayFixture;
  let sender: SendingAccount;

  beforeAll(async () => {
    fixture = await RelayFixture.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    fixture.relay.reset();
    sender = await fixture.open({ dailySendCap: 10_000 });
  });

  const post = (messages: unknown, fields: object = {}, secret = sender.key.secret) =>
    fixture.service
      .request('post', '/api/send/batch')
      .set('X-API-Key', secret)
      .send({ messages, ...fields });
  const stored = async ({ account } = sender) => {
    const ids = await fixture.service.query<{ id: string; recipient: string }>(
      'SELECT id, recipient FROM message_logs WHERE account_id = $1 ORDER BY id',
      [account.id],
    );
    return ids.map(({ recipient }) => recipient);
  };
  const used = async ({ account } = sender) => {
    const [row] = await fixture.service.query<{ used: number }>('SELECT used FROM daily_usage WHERE subject_id = $1', [
      account.id,
    ]);
    return row?.used ?? 0;
  };
  const acceptedIn = (results: Result[]) => results.filter(({ messageLogId }) => messageLogId).length;

  it('stores all messages, in order, and delivers them', async () => {
    const { body, headers } = await post(mails(100)).expect(201);
    expect(body.queued).toBe(100);
    expect((body.results as Result[]).map(({ index }) => index)).toEqual([...Array(100).keys()]);
    expect(await stored()).toEqual(mails(100).map(({ to }) => to));
    expect(await used()).toBe(100);
    expect(headers['x-ratelimit-remaining']).toBe('9900');
    await waitFor('all mails', () => fixture.relay.received().length === 100);
    await sender.reaches((body.results as Result[])[7]!.messageLogId!, 'sent', 1);
  });

  it('takes what a single send takes: templates, copies, attachments, schedules', async () => {
    const { body: template } = await sender.account
      .asAdmin('post', '/api/templates')
      .send({ name: 'Hello', subject: 'Hello {{name}}', text: 'Hello {{name}}: {{unsubscribeUrl}}' })
      .expect(201);
    const { body } = await post([
      { to: 'a@example.org', fromEmail: SENDER, templateId: template.id, variables: { name: 'Ada' } },
      mail({ cc: ['c@example.org'], attachments: [{ filename: 'a.txt', content: 'SGVsbG8=' }], tags: ['one'] }),
      mail({ scheduledAt: inHours(1), metadata: { order: '1' } }),
    ]).expect(201);
    const [first, second, third] = body.results as Result[];
    expect(body.queued).toBe(3);
    expect(second!.copies).toEqual([{ email: 'c@example.org', role: 'cc', messageLogId: expect.any(String) }]);
    expect(await used()).toBe(4);
    await waitFor('three mails', () => fixture.relay.received().length === 3);
    expect(await sender.read(first!.messageLogId!)).toMatchObject({ subject: 'Hello Ada' });
    expect(await sender.read(second!.messageLogId!)).toMatchObject({ tags: ['one'], attachments: [{ size: 5 }] });
    expect(await sender.read(third!.messageLogId!)).toMatchObject({ status: 'queued', metadata: { order: '1' } });
    expect((await sender.read(third!.messageLogId!)).scheduledAt).not.toBeNull();
  });

  it('stores nothing in mode all if there is a fault, and names each', async () => {
    await sender.account.asAdmin('post', '/api/suppressions').send({ email: 'eve@example.org' }).expect(201);
    const cases: [unknown[], string][] = [
      [[mail(), mail({ to: 'nobody' })], 'messages[1].to must be an email address'],
      [
        [mail({ subject: undefined, surprise: 1 }), mail({ to: 1 })],
        'messages[0].surprise is not a known field; messages[0].subject is required unless templateId is given; ' +
          'messages[1].to must be an email address',
      ],
      [[mail(), mail(), mail(), mail({ to: 'eve@example.org' })], 'messages[3]: eve@example.org is suppressed'],
      [[mail({ fromEmail: 'x@example.net' })], 'messages[0]: x@example.net is not verified for sending'],
      [[mail({ scheduledAt: inHours(-1) })], 'messages[0].scheduledAt is in the past'],
      [[mail({ templateId: 'c000000000000000000000000' })], 'messages[0].templateId: template not found'],
      [[mail({ attachments: [{ filename: 'a', content: '?' }] })], 'messages[0].attachments[0].content is not base64'],
      [[mail(), 'x', null], 'messages[1] must be an object; messages[2] must be an object'],
    ];
    for (const [messages, message] of cases)
      expect((await post(messages).expect(400)).body).toEqual(badRequest(message));
    expect(await stored()).toEqual([]);
    expect(await used()).toBe(0);
  });

  it('names the message with text that cannot be stored, and accepts the others in mode valid', async () => {
    const fault = 'subject holds a character that cannot be stored';
    for (const subject of ['a\0b', '\ud800']) {
      const messages = [mail(), mail({ subject })];
      const { body: refused } = await post(messages).expect(400);
      expect(refused).toEqual(badRequest(`messages[1].${fault}`));
      const { body } = await post(messages, { mode: 'valid' })
        .set('Idempotency-Key', JSON.stringify(subject))
        .expect(201);
      expect((body.results as Result[])[1]).toEqual({ index: 1, error: badRequest(fault) });
    }
    const { body } = await post([mail(), mail({ '\0': 1 })], { mode: 'valid' })
      .set('Idempotency-Key', 'name')
      .expect(201);
    const [, second] = body.results as Result[];
    expect(second!.error!.message).toBe('\ufffd holds a character that cannot be stored');
    const large = mail({ text: 'x'.repeat(999_000) });
    await post([large, large, mail({ subject: '\0' })], { mode: 'valid' }).expect(201);
    expect((await post([mail()], { mode: '\0' }).expect(400)).body.message).toBe(
      'mode holds a character that cannot be stored',
    );
  });

  it('stores refusals that repeat the request only in part', async () => {
    const messages = [mail(), mail({ ['x'.repeat(100_000)]: 1 })];
    const request = () => post(messages, { mode: 'valid' }).set('Idempotency-Key', 'long');
    const { body } = await request().expect(201);
    expect((body.results as Result[])[1]!.error!.message).toHaveLength(1_001);
    expect((await request().expect(201)).body).toEqual(body);
  });

  it('reads no files in a large batch of SMS, and refuses what is not an object', async () => {
    const send = (body: string) =>
      fixture.service
        .request('post', '/api/send/sms/batch')
        .set('X-API-Key', sender.key.secret)
        .set('Idempotency-Key', 'sms')
        .set('Content-Type', 'application/json')
        .send(body);
    const content = Buffer.alloc(1_000_000, 'x').toString('base64');
    const messages = [{ to: '+14155550100', body: 'Hello', attachments: [{ content }] }];
    const { body } = await send(JSON.stringify({ messages })).expect(400);
    expect(body).toEqual(badRequest('messages[0].attachments is not a known field'));
    await send(JSON.stringify(content)).expect(400);
  });

  it.each([
    [undefined, 'messages must be an array'],
    [{}, 'messages must be an array'],
    [[], 'messages must have 1 to 500 entries'],
    [mails(501), 'messages must have 1 to 500 entries'],
  ])('refuses a list like %#', async (messages, message) => {
    expect((await post(messages).expect(400)).body).toEqual(badRequest(message));
  });

  it('refuses an unknown mode and an unknown field', async () => {
    expect((await post([mail()], { mode: 'some' }).expect(400)).body.message).toBe('mode must be all or valid');
    expect((await post([mail()], { extra: 1 }).expect(400)).body.message).toBe('extra is not a known field');
  });

  it('accepts what is good in mode valid', async () => {
    await sender.account.asAdmin('post', '/api/suppressions').send({ email: 'eve@example.org' }).expect(201);
    const messages = [mail(), mail({ to: 'eve@example.org' }), mail({ to: 'nobody' }), mail({ to: 'bob@example.org' })];
    const { body } = await post(messages, { mode: 'valid' }).expect(201);
    expect(body).toEqual({
      queued: 2,
      results: [
        { index: 0, messageLogId: expect.any(String) },
        { index: 1, error: badRequest('eve@example.org is suppressed') },
        { index: 2, error: badRequest('to must be an email address') },
        { index: 3, messageLogId: expect.any(String) },
      ],
    });
    expect(await stored()).toEqual(['ada@example.org', 'bob@example.org']);
    const { body: none } = await post(messages.slice(1, 3), { mode: 'valid' }).expect(400);
    expect(none).toEqual(badRequest('messages[0]: eve@example.org is suppressed'));
  });

  it('keeps the cap of the account: none or all, or as many as there is room for, in order', async () => {
    const small = await fixture.open({ dailySendCap: 10 });
    const send = (count: number, mode: string) => post(mails(count), { mode }, small.key.secret);
    expect((await send(11, 'all').expect(429)).body).toEqual(OVER_CAP);
    expect(await used(small)).toBe(0);
    await send(4, 'all').expect(201);
    const { body, headers } = await send(8, 'valid').expect(201);
    const results = body.results as Result[];
    expect(body.queued).toBe(6);
    expect(results.slice(6)).toEqual([6, 7].map((index) => ({ index, error: OVER_CAP })));
    expect(headers['x-ratelimit-remaining']).toBe('0');
    expect((await send(1, 'valid').expect(429)).body).toEqual(OVER_CAP);
    expect(await used(small)).toBe(10);
  });

  it('keeps the limit of the key', async () => {
    const { secret } = await sender.account.createKey({ dailyLimit: 3 });
    expect((await post(mails(4), {}, secret).expect(400)).body).toEqual(OVER_LIMIT);
    const { body } = await post(mails(4), { mode: 'valid' }, secret).expect(201);
    expect((body.results as Result[])[3]).toEqual({ index: 3, error: OVER_LIMIT });
    expect(await used()).toBe(3);
    const small = await fixture.open({ dailySendCap: 5 });
    const { secret: both } = await small.account.createKey({ dailyLimit: 3 });
    await post(mails(3), {}, small.key.secret).expect(201);
    expect((await post(mails(4), {}, both).expect(400)).body).toEqual(OVER_LIMIT); // as a message with copies
  });

  it('fills the room with smaller groups after one that does not fit', async () => {
    const small = await fixture.open({ dailySendCap: 4 });
    const cc = (count: number) => ({ cc: Array.from({ length: count }, (_, i) => `c${i}@example.org`) });
    const messages = [mail(cc(1)), mail(cc(4)), mail(cc(2)), mail(), mail({ tags: ['x'] }), mail()];
    const { body } = await post(messages, { mode: 'valid' }, small.key.secret).expect(201);
    expect((body.results as Result[]).map(({ error }) => error?.statusCode ?? 201)).toEqual([
      201, 429, 429, 201, 201, 429,
    ]);
    expect(await used(small)).toBe(4);
  });

  it.each(['all', 'valid'])('keeps the caps to the message under parallel batches in mode %s', async (mode) => {
    const small = await fixture.open({ dailySendCap: 100 });
    const { secret } = await small.account.createKey({ dailyLimit: 60 });
    const batches = Array.from({ length: 16 }, (_, i) => [7 + i, i % 2 === 0 ? small.key.secret : secret] as const);
    const responses = await Promise.all(
      batches.map(async ([count, key]) => {
        const { status, body } = await post(mails(count), { mode }, key);
        return { key, status, body };
      }),
    );
    const accepted = (of: typeof responses) =>
      of.reduce((sum, { status, body }) => sum + (status === 201 ? acceptedIn(body.results as Result[]) : 0), 0);
    const limited = accepted(responses.filter(({ key }) => key === secret));
    expect(await used(small)).toBe(accepted(responses));
    expect(await stored(small)).toHaveLength(accepted(responses));
    expect(limited).toBeLessThanOrEqual(60);
    expect(accepted(responses)).toBeLessThanOrEqual(100);
    if (mode === 'valid') expect(accepted(responses)).toBe(100);
    else
      for (const { status, body } of responses)
        if (status === 201) expect((body.results as Result[]).every(({ messageLogId }) => messageLogId)).toBe(true);
  });

  it('is refused as a whole before its body is read, as a single send is', async () => {
    const small = await fixture.open({ dailySendCap: 1 });
    await post([mail()], {}, small.key.secret).expect(201);
    await post('nonsense', {}, small.key.secret).expect(429);
    const { secret } = await sender.account.createKey({ scopes: ['sms:send'] });
    await post([mail()], {}, secret).expect(403);
    await post([mail()], {}, 'sk_unknown').expect(401);
  });

  describe('with an Idempotency-Key', () => {
    const repeat = (messages: unknown, key: string, fields: object = {}, secret = sender.key.secret) =>
      post(messages, fields, secret).set('Idempotency-Key', key);

    it('gives a repeated request the first response', async () => {
      const messages = [mail({ cc: ['c@example.org'] }), mail({ to: 'nobody' }), mail()];
      const first = await repeat(messages, 'one', { mode: 'valid' }).expect(201);
      expect(first.headers['idempotent-replayed']).toBeUndefined();
      const again = await repeat(messages, 'one', { mode: 'valid' }).expect(201);
      expect(again.body).toEqual(first.body);
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(await used()).toBe(3);
      const { body } = await repeat(messages, 'one').expect(409);
      expect(body.message).toBe('Idempotency-Key was used for another request within 24 hours');
      await repeat([messages[0]], 'one', { mode: 'valid' }).expect(409);
    });

    it('stores a batch once for concurrent requests', async () => {
      const responses = await Promise.all(Array.from({ length: 8 }, () => repeat(mails(50), 'same')));
      expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(201));
      expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
      expect(responses.filter(({ headers }) => headers['idempotent-replayed'])).toHaveLength(7);
      expect(await used()).toBe(50);
    });

    it('gives the first response even where the cap is used up since, and counts nothing in a refused one', async () => {
      const small = await fixture.open({ dailySendCap: 5 });
      await repeat(mails(6), 'key', {}, small.key.secret).expect(429);
      const first = await repeat(mails(5), 'key', {}, small.key.secret).expect(201);
      const again = await repeat(mails(5), 'key', {}, small.key.secret).expect(201);
      expect(again.body).toEqual(first.body);
      expect(await used(small)).toBe(5);
    });

    it('survives a response that was lost', async () => {
      const controller = new AbortController();
      const body = JSON.stringify({ messages: mails(200) });
      const request = () => ({
        method: 'POST',
        headers: { 'X-API-Key': sender.key.secret, 'Content-Type': 'application/json', 'Idempotency-Key': 'lost' },
        body,
      });
      const url = `${fixture.service.url}/api/send/batch`;
      const lost = fetch(url, { ...request(), signal: controller.signal }).catch(() => 'aborted');
      await waitFor('the batch to be stored', async () => (await stored()).length === 200 || undefined);
      controller.abort();
      await lost;
      const again = (await (await fetch(url, request())).json()) as { queued: number; results: Result[] };
      expect(again.queued).toBe(200);
      expect(await stored()).toHaveLength(200);
    });
  });

  it('takes bodies of up to 5 MB', async () => {
    const large = (count: number) => mails(count, { text: `\u2713${'x'.repeat(9_000)}` });
    const { body } = await post(large(500)).expect(201);
    expect(body.queued).toBe(500);
    const content = Buffer.alloc(1_000_000, 'x').toString('base64');
    const files = [1, 2, 3].map((n) => mail({ attachments: [{ filename: `${n}.txt`, content }] }));
    const sent = await post(files).expect(201);
    expect(await sender.read((sent.body.results as Result[])[2]!.messageLogId!)).toMatchObject({
      attachments: [{ size: 1_000_000 }],
    });
    const { body: refused } = await post([...files, ...files.slice(1)]).expect(413);
    expect(refused.message).toBe('The body is larger than 5 MB');
  });
});
