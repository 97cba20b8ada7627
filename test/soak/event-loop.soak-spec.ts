import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { newId } from '../../src/shared/ids.js';
import type { TestAccount, TestKey } from '../support/account.js';
import { referenceCpuTime } from '../support/cpu-time.js';
import { TestService } from '../support/service.js';
import { KEYS, SIGN } from '../support/vendor-posts.js';

/**
 * Processor time in one iteration, as a multiple of the reference. What is tested here took two to twenty seconds, on a
 * machine whose reference is about a tenth of one, before it was sliced or bounded.
 */
const MOST_IN_A_TURN = 7;

/** Processor time of the thread that runs the event loop; on Linux without those that collect garbage and compile. */
function usedMs(): number {
  if (process.platform !== 'linux') return process.cpuUsage().user / 1_000;
  const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

let referenceMs: number;

/** The most processor time that an iteration of the event loop took meanwhile, as a multiple of the reference. */
async function longestIteration(work: () => PromiseLike<unknown>): Promise<number> {
  let longest = 0;
  let isDone = false;
  let before = usedMs();
  const iterate = () => {
    const now = usedMs();
    longest = Math.max(longest, now - before);
    before = now;
    if (!isDone) setTimeout(iterate, 1);
  };
  iterate();
  await work();
  isDone = true;
  return Math.max(longest, usedMs() - before) / referenceMs;
}

const manyFields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 1]));

describe('The event loop', () => {
  let service: TestService;
  let account: TestAccount;
  let key: TestKey;

  beforeAll(async () => {
    referenceMs = await referenceCpuTime();
    service = await TestService.start({ ROLE: 'api' });
    account = await service.createAccount({ dailySendCap: 1_000_000 });
    key = await account.createKey();
    await account.verifySender('shop@example.com');
    const smtp = { host: 'relay.example', port: 587, vendor: 'generic', eventSigningKey: KEYS.generic };
    await account.asAdmin('patch', '/api/settings').send({ smtp }).expect(200);
  });
  afterAll(() => service.stop());

  const postJson = (path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  const asAdmin = () => ({ authorization: `Bearer ${account.adminToken}` });

  it.each([
    ['of one letter', 'a\n'.repeat(490_000), 490_000],
    ['that are nearly addresses', 'a@b\n'.repeat(245_000), 245_000],
    ['that are nearly numbers', '123456\n'.repeat(140_000), 140_000],
  ])('is not blocked while an import of rows %s is refused', async (_, csv, failed) => {
    const longest = await longestIteration(async () => {
      const headers = { 'content-type': 'text/csv', ...asAdmin() };
      const response = await fetch(`${service.url}/api/suppressions/import`, { method: 'POST', headers, body: csv });
      expect(await response.json()).toMatchObject({ added: 0, failed });
    });
    expect(longest).toBeLessThan(MOST_IN_A_TURN);
  });

  it.each([
    ['invalid', { email: 'x', tags: Array.from({ length: 15 }, () => 'a'.repeat(101)) }],
    ['with unknown fields', { email: 'x', ...manyFields(80) }],
  ])('is not blocked while 5,000 contacts %s are refused', async (_, contact) => {
    const body = JSON.stringify({ contacts: Array.from({ length: 5_000 }, () => contact) });
    const longest = await longestIteration(async () => {
      const response = await postJson('/api/contacts/import', body, asAdmin());
      expect(response.status).toBe(200);
      const { errors } = (await response.json()) as { errors: unknown[] };
      expect(errors).toHaveLength(5_000);
    });
    expect(longest).toBeLessThan(MOST_IN_A_TURN);
  });

  it('is not blocked while an object with very many fields is refused, in any place', async () => {
    const fields = manyFields(90_000);
    const cases: [string, object, Record<string, string>, string][] = [
      ['/api/auth/login', fields, {}, 'The request has more than 200 fields'],
      ['/api/settings', { smtp: fields }, asAdmin(), 'smtp has an object of more than 1000 fields'],
    ];
    for (const [path, body, headers, message] of cases) {
      const text = JSON.stringify(body);
      const method = path === '/api/settings' ? 'PATCH' : 'POST';
      const longest = await longestIteration(async () => {
        const all = { 'content-type': 'application/json', ...headers };
        const response = await fetch(`${service.url}${path}`, { method, headers: all, body: text });
        expect(await response.json()).toMatchObject({ statusCode: 400, message });
      });
      expect(longest).toBeLessThan(MOST_IN_A_TURN);
    }
  });

  it('is not blocked while a list or an object of very many values is refused, in any place, also of a caller without credentials', async () => {
    const many = (text: string) => `[${Array.from({ length: 330_000 }, () => text).join()}]`;
    const short = many('{}')
      .slice(0, 1_000)
      .replace(/,[^,]*$/, ']');
    const nested = `[${Array.from({ length: 900 }, () => short).join()}]`;
    const cases: [string, string, Record<string, string>][] = [
      ['/api/auth/login', `{"email":${many('{}')}}`, {}],
      ['/api/auth/login', `{"email":${nested},"password":"\\u0041"}`, {}],
      ['/api/contacts', `{"email":"\\u0041","x":${many('[]')}}`, asAdmin()],
      ['/api/templates/preview', `{"subject":"Hello","text":"Hello","variables":{"items":${many('{}')}}}`, asAdmin()],
    ];
    const message = 'The body holds more than 10000 values';
    for (const [path, body, headers] of cases) {
      const longest = await longestIteration(async () => {
        const response = await postJson(path, body, headers);
        expect(await response.json()).toMatchObject({ statusCode: 400, message });
      });
      expect(longest).toBeLessThan(MOST_IN_A_TURN);
    }
  });

  it('is not blocked while a mail with very many variables is refused', async () => {
    const mail = { to: 'ada@example.com', from: 'shop@example.com', subject: 'Hello', text: 'Hello' };
    const body = JSON.stringify({ ...mail, variables: manyFields(90_000) });
    const longest = await longestIteration(async () => {
      const response = await postJson('/api/send/transactional', body, { 'x-api-key': key.secret });
      const message = 'variables has an object of more than 1000 fields';
      expect(await response.json()).toMatchObject({ statusCode: 400, message });
    });
    expect(longest).toBeLessThan(MOST_IN_A_TURN);
  });

  describe('is not blocked by a batch', () => {
    const mail = (fields: object) => ({
      ...{ to: 'ada@example.org', fromEmail: 'shop@example.com', subject: 'Hello', text: 'Hello' },
      ...fields,
    });
    const mails = (fields: object) => Array.from({ length: 500 }, () => mail(fields));
    const sendBatch = async (messages: unknown[], expected: object) => {
      const text = JSON.stringify({ messages });
      return longestIteration(async () => {
        const headers = { 'x-api-key': key.secret, 'idempotency-key': newId(new Date()) };
        const response = await postJson('/api/send/batch', text, headers);
        expect(await response.json()).toMatchObject(expected);
      });
    };
    const addresses = (domain: string) => Array.from({ length: 20 }, (_, i) => `r${i}@${domain}`);
    const html = '<p>Hello {{name}}, see <a href="https://example.com/a?b=1">this</a></p>'.repeat(135);

    it.each([
      ['text', { text: 'x'.repeat(9_500) }],
      ['HTML', { html }],
      ['HTML with variables', { html, variables: { name: 'Ada' } }],
      ['copies to 40 others each', { cc: addresses('example.org'), bcc: addresses('example.com') }],
    ])('of 500 mails with %s that is accepted', async (_, fields) => {
      const longest = await sendBatch(mails(fields), { queued: 500 });
      expect(longest).toBeLessThan(MOST_IN_A_TURN / 4);
    });

    it('of 500 mails from a long template that is accepted', async () => {
      const template = { name: 'Long', subject: 'Hello', html: html.repeat(3) };
      const { body } = await account.asAdmin('post', '/api/templates').send(template).expect(201);
      const messages = mails({ subject: undefined, text: undefined, templateId: body.id, variables: { name: 'Ada' } });
      const longest = await sendBatch(messages, { queued: 500 });
      expect(longest).toBeLessThan(MOST_IN_A_TURN / 4);
    });

    it.each([
      ['500 mails with many variables each', mails({ variables: manyFields(900) }), { queued: 500 }],
      [
        'a mail with very many values',
        [mail({ variables: { a: Array(390_000).fill({}) } })],
        { statusCode: 400, message: 'messages has an entry of more than 10000 values' },
      ],
      ['500 mails with many unknown fields', mails(manyFields(180)), { statusCode: 400 }],
      ['very many entries', Array(400_000).fill(1), { message: 'messages must have 1 to 500 entries' }],
      [
        'more values than any batch has',
        Array(2_000_000).fill(1),
        { message: 'The body holds more than 800000 values' },
      ],
    ])('of %s', async (_, messages, expected) => {
      expect(await sendBatch(messages, expected)).toBeLessThan(MOST_IN_A_TURN);
    });
  });

  it('is not blocked while a contact with many fields is refused, in few words', async () => {
    const body = JSON.stringify({ contacts: [{ email: 'ada@example.com', ...manyFields(900) }] });
    const longest = await longestIteration(async () => {
      const response = await postJson('/api/contacts/import', body, asAdmin());
      const { errors } = (await response.json()) as { errors: { message: string }[] };
      expect(errors[0]!.message).toMatch(/^k0 is not a known field; .*; 880 more are not known fields$/);
    });
    expect(longest).toBeLessThan(MOST_IN_A_TURN);
  });

  it('is not blocked while an import of 10 MB is refused before it is parsed', async () => {
    const fields = JSON.stringify(manyFields(700_000));
    const lists = `[${'[],'.repeat(3_000_000)}[]]`;
    const cases: [string, string][] = [
      [fields, 'The request has more than 200 fields'],
      [`{"contacts":[${fields}]}`, 'contacts has an object of more than 1000 fields'],
      [`{"contacts":${lists}}`, 'The body holds more than 800000 values'],
    ];
    for (const [body, message] of cases) {
      const longest = await longestIteration(async () => {
        const response = await postJson('/api/contacts/import', body, asAdmin());
        expect(await response.json()).toMatchObject({ statusCode: 400, message });
      });
      expect(longest).toBeLessThan(MOST_IN_A_TURN / 2);
    }
  });

  it.each([
    ['very many events', Array(400_000).fill(1), 'The body holds more than 100000 values'],
    ['an event of very many fields', manyFields(90_000), 'The request has more than 1000 fields'],
    [
      'an event whose data have very many fields',
      { id: 'e1', data: manyFields(90_000) },
      'data has an object of more than 1000 fields',
    ],
  ])('is not blocked while %s of a provider are refused', async (_, content, message) => {
    const { body, headers } = SIGN.generic(content);
    const longest = await longestIteration(async () => {
      const response = await postJson(`/api/provider-events/smtp/${account.id}`, body, headers);
      expect(await response.json()).toMatchObject({ statusCode: 400, message });
    });
    expect(longest).toBeLessThan(MOST_IN_A_TURN);
  });
});
