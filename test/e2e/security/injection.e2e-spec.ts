import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AddressObject } from 'mailparser';

import { budget, FUZZ_SEED } from '../../support/budget.js';
import type { TestAccount } from '../../support/account.js';
import { badRequest } from '../../support/errors.js';
import { RelayFixture, type SendingAccount, SENDER } from '../../support/relay-fixture.js';
import type { TestService } from '../../support/service.js';
import type { ReceivedMail, SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

const SQL = [
  `' OR '1'='1`,
  `'; DROP TABLE accounts; --`,
  `\\'; SELECT pg_sleep(9); --`,
  `") OR 1=1 /*`,
  '$1',
  '%s',
  '$$;COMMIT;$$',
];
const MARKUP = `<img src=x onerror="alert('1')">&amp;</title></textarea>`;

describe('Injection', () => {
  let fixture: RelayFixture;
  let relay: SmtpSink;
  let service: TestService;
  let account: TestAccount;
  let shop: SendingAccount;

  beforeAll(async () => {
    fixture = await RelayFixture.start();
    ({ service, relay } = fixture);
    shop = await fixture.open();
    ({ account } = shop);
  });
  afterAll(() => fixture.stop());

  const send = (mail: object) => shop.post({ text: 'Hello', ...mail });

  async function deliver(mail: object): Promise<ReceivedMail> {
    const { body } = await send(mail).expect(201);
    const messageId = `<${body.messageLogId}@example.com>`;
    return waitFor('the mail', () => relay.received().find(({ parsed }) => parsed.messageId === messageId));
  }

  describe('of SQL', () => {
    it.each(SQL)('is text like any other: %s', async (text) => {
      const name = text.slice(0, 100);
      const { body } = await account.asAdmin('post', '/api/templates').send({ name, subject: text, text }).expect(201);
      await account.asAdmin('get', `/api/templates/${body.id}`).expect(200, body);
      expect(body).toMatchObject({ name, subject: text, text });
      await account.asAdmin('patch', '/api/settings').send({ accountName: name }).expect(200);
      const [row] = await service.query<{ name: string }>('SELECT name FROM accounts WHERE id = $1', [account.id]);
      expect(row).toEqual({ name });
      const note = { email: `${body.id}@example.com`, note: text };
      expect((await account.asAdmin('post', '/api/suppressions').send(note).expect(201)).body).toMatchObject({
        note: text,
      });
    });

    it.each(SQL)('finds nothing: %s', async (text) => {
      await send({}).expect(201);
      const found = await account.asAdmin('get', '/api/messages').query({ search: text }).expect(200);
      expect(found.body.items).toEqual([]);
      const totals = await account.asAdmin('get', '/api/messages/aggregate').query({ campaignId: text }).expect(200);
      expect(totals.body.total).toBe(0);
      await account.asAdmin('get', '/api/messages').query({ cursor: text }).expect(400);
      await account.asAdmin('get', `/api/templates/${encodeURIComponent(text)}`).expect(404);
      await service.request('post', '/api/auth/login').send({ email: text, password: text }).expect(401);
      await service.request('get', '/api/messages').set('X-API-Key', text).expect(401);
      const { secret } = (
        await account.asAdmin('post', '/api/api-keys').send({ name: 'x', scopes: ['send'], ipAllowlist: ['192.0.2.1'] })
      ).body;
      const attempt = service
        .request('post', '/api/send/transactional')
        .set({ 'X-API-Key': secret, 'X-Forwarded-For': text });
      await attempt.expect(401);
    });
  });

  describe('of mail headers', () => {
    const addresses = (of: AddressObject | AddressObject[] | undefined) =>
      [of ?? []].flat().flatMap(({ value }) => value.map(({ address }) => address));

    /** One sender, one recipient, and no header but those of every mail. */
    function expectOwn({ parsed, envelope, raw }: ReceivedMail, replyTo: string[] = []) {
      expect(envelope).toEqual({ from: SENDER, to: ['ada@example.org'] });
      expect(addresses(parsed.from)).toEqual([SENDER]);
      expect(addresses(parsed.to)).toEqual(['ada@example.org']);
      expect(addresses(parsed.replyTo)).toEqual(replyTo);
      const names = raw
        .split('\r\n\r\n')[0]!
        .match(/^[\w-]+(?=:)/gm)!
        .map((name) => name.toLowerCase());
      expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
      expect(names.filter((name) => !USUAL.includes(name))).toEqual([]);
    }

    it.each([
      'a" <eve@evil.example>, "b',
      'Eve <eve@evil.example>',
      'eve@evil.example,',
      '=?utf-8?q?x=0D=0ABcc:_eve@evil.example?=',
      '=?utf-8?b?DQpCY2M6IGV2ZUBldmlsLmV4YW1wbGU=?=',
      'x (comment) ; group: eve@evil.example;',
      '\\" <eve@evil.example>',
      `${'ü'.repeat(60)}, <eve@evil.example>`,
    ])('is text like any other: %s', async (text) => {
      const mail = await deliver({ fromName: text, subject: text, replyTo: 'bob@example.org' });
      expectOwn(mail, ['bob@example.org']);
      expect(mail.parsed.from!.value[0]!.name).not.toBe('');
    });

    it('comes from no name or subject', async () => {
      const line = fc
        .string({ unit: 'binary', minLength: 1, maxLength: 150 })
        .filter((text) => !/[\p{Cc}\u2028\u2029]/u.test(text));
      const anything = fc.tuple(line, line).filter(([, subject]) => subject.trim() !== '');
      await fc.assert(
        fc.asyncProperty(anything, async ([fromName, subject]) => {
          expectOwn(await deliver({ fromName, subject }));
        }),
        { seed: FUZZ_SEED, numRuns: budget({ quick: 10, soak: 500 }) },
      );
    });

    it.each(['\r', '\n', '\r\n', '\u0085', '\u2028', '\u2029', '\u000b', '\u0000'])(
      'is refused with %j',
      async (end) => {
        const text = `a${end}Bcc: eve@evil.example`;
        for (const field of ['fromName', 'subject', 'replyTo', 'to', 'fromEmail']) {
          const { body } = await send({ [field]: text }).expect(400);
          expect(body.message).toContain(field);
        }
        const template = { name: 'x', subject: '{{x}}', text: 'x' };
        const { body } = await account.asAdmin('post', '/api/templates').send(template).expect(201);
        const filled = { templateId: body.id, variables: { x: text }, subject: undefined, text: undefined };
        await send(filled).expect(400);
      },
    );

    it.each([
      'ada@example.org, eve@evil.example',
      'ada@example.org;eve@evil.example',
      'Ada <ada@example.org>',
      '<ada@example.org>',
      'ada@example.org> <eve@evil.example',
      'ada@example.org eve@evil.example',
      '@evil.example:ada@example.org',
      'ada@example.org SIZE=1',
      '"ada@example.org, eve"@evil.example',
    ])('is refused as an address: %s', async (address) => {
      const fault = `must be an email address${address.endsWith('>') ? ' without a name and angle brackets' : ''}`;
      await send({ to: address }).expect(400, badRequest(`to ${fault}`));
      await send({ replyTo: address }).expect(400, badRequest(`replyTo ${fault}`));
    });
  });

  describe('of templates', () => {
    async function preview(html: string, json: string) {
      const { body } = await account
        .asAdmin('post', '/api/templates')
        .send({ name: 'x', subject: 'x', html })
        .expect(201);
      const request = account.asAdmin('post', `/api/templates/${body.id}/preview`).type('json').send(json);
      return ((await request.expect(200)).body as { html: string }).html;
    }

    it.each([
      '{{constructor.constructor}}',
      '{{__proto__.toString}}',
      '{{#constructor}}x{{/constructor}}',
      '{{#__proto__}}x{{/__proto__}}',
      '{{a.__proto__.constructor.name}}',
      '{{a.b.length.constructor}}',
      '{{polluted}}',
      '{{a.polluted}}',
    ])('reaches nothing but values: %s', async (tag) => {
      const json = '{"variables":{"a":{"b":"c","__proto__":{"polluted":"yes"}},"__proto__":{"polluted":"yes"}}}';
      expect(await preview(`[${tag}]`, json)).toBe('[]');
      expect(({} as { polluted?: string }).polluted).toBeUndefined();
    });

    it('does not fill in what a value holds', async () => {
      const value = '{{secret}}{{{secret}}}{{> secret}}{{=<% %>=}}<%secret%>{{#a}}';
      const json = JSON.stringify({ variables: { a: value, secret: 'shown' } });
      expect(await preview('{{{a}}}', json)).toBe(value);
      expect(await preview('{{{a}}}{{{b}}}', '{"variables":{"a":"{{","b":"secret}}","secret":"shown"}}')).toBe(
        '{{secret}}',
      );
    });

    it('escapes values in HTML', async () => {
      const html = await preview(`<a title="{{a}}">{{a}}</a>`, JSON.stringify({ variables: { a: MARKUP } }));
      expect(html).not.toContain('<img');
      expect(html.match(/"/g)).toHaveLength(2);
    });
  });

  it('of markup is text on the pages for people and in the mail that leads there', async () => {
    await account.asAdmin('patch', '/api/settings').send({ accountName: MARKUP }).expect(200);
    await account.asAdmin('post', '/api/senders').send({ email: `o'neil&sons@example.net` }).expect(201);
    const isVerification = ({ envelope }: ReceivedMail) => envelope.to[0] === `o'neil&sons@example.net`;
    const { parsed } = await waitFor('the mail', () => relay.received().find(isVerification));
    const verify = /\/verify-sender\/[\w.-]+/.exec(parsed.text!)![0];
    expect(parsed.html).not.toContain('img'); // no text of the account at all
    const mail = await deliver({ html: '<a href="{{unsubscribeUrl}}">x</a>', text: '{{unsubscribeUrl}}' });
    const unsubscribe = /\/u\/[\w.-]+/.exec(mail.parsed.text!)![0];
    for (const path of [verify, unsubscribe]) {
      const { text } = await service.request('get', path).expect(200);
      expect(text).toContain('&lt;img');
      expect(text).not.toMatch(/<img|onerror="/);
    }
  });

  it('of headers does not come with a link', async () => {
    await account.asAdmin('patch', '/api/settings').send({ tracking: 'native' }).expect(200);
    const targets = [
      'https://shop.example/a%0d%0aSet-Cookie:%20x=y',
      'https://shop.example/a\r\nSet-Cookie: x=y',
      'https://shop.example/\u2028ü\u0001',
    ];
    const html = targets.map((target) => `<a href="${target}">x</a>`).join('');
    const paths = await waitFor('tracked links', async () => {
      const { parsed } = await deliver({ html });
      const links = [...(parsed.html || '').matchAll(/\/r\/[^"<]+/g)].map(([path]) => path.replaceAll('&amp;', '&'));
      return links.length > 0 && links;
    });
    for (const path of paths.filter((link) => link.includes('u='))) {
      const { headers } = await service.request('get', path).redirects(0).expect(302);
      expect(headers).not.toHaveProperty('set-cookie');
      expect(headers.location).toMatch(/^https:\/\/shop\.example\/[!-~]*$/);
    }
  });
});

const USUAL = [
  'content-transfer-encoding',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'reply-to',
  'subject',
  'to',
];
