import { generateKeyPairSync } from 'node:crypto';

import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { simpleParser } from 'mailparser';

import { budget } from '../../../../test/support/budget.js';
import type { ClaimedMessage } from '../../messages/index.js';
import { composeMail } from '../../../mail/writing/compose-mail.js';
import { signMail, unsignedHeader } from '../../../mail/writing/sign-mail.js';

const MESSAGE = {
  id: 'c0123456789abcdefghijklmn',
  recipient: 'ada@example.org',
  sender: 'orders@shop.example.com',
  senderName: 'The Shop',
  replyTo: 'help@shop.example.com',
  subject: 'Your order',
  html: '<p>Thank you</p>',
  text: 'Thank you',
  unsubscribeUrl: 'https://shop.example.com/u/1',
  acceptedAt: new Date('2026-11-22T00:00:00Z'),
} as ClaimedMessage;
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const RECORD = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;

const compose = (changes: Partial<ClaimedMessage> = {}) => composeMail({ ...MESSAGE, ...changes });
const KEY = { domainName: 'shop.example.com', selector: 's1', privateKey };
const sign = (mail: Buffer) => signMail(mail, unsignedHeader(mail, KEY), KEY);
const signed = async (changes: Partial<ClaimedMessage> = {}) => sign(compose(changes).raw);

async function verify(mail: Buffer): Promise<string | undefined> {
  const { results } = await dkimVerify(mail, { resolver: () => Promise.resolve([[RECORD]]) });
  expect(results).toHaveLength(1);
  return results[0]?.status.result;
}
const longestLine = (mail: Buffer) =>
  Math.max(
    ...mail
      .toString()
      .split('\r\n')
      .map((line) => Buffer.byteLength(line)),
  );

/** Every form of line end, and the special cases of canonicalisation. */
const LINE_ENDS = ['\r', '\n', '\r\n', '\n\r', '\r\r\n', '\r\n\n', '\r\r', '\n\n', '\r\n\r', ' \r', '\t\r ', '\r.\r'];
const piece = fc.oneof(
  fc.constantFrom(...LINE_ENDS),
  fc.constantFrom(
    '.',
    ' ',
    '\t',
    '  ',
    '=',
    'Grüße',
    '👩‍👩‍👧',
    'x'.repeat(120),
    '\u2028',
    '\u0085',
    '\v',
    '\0',
    'Hello world. ',
  ),
  fc.string({ maxLength: 20 }),
);
const body = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));

describe('A composed mail', () => {
  it('ends every line in CRLF, has no line that is too long and verifies, for any text', async () => {
    const texts = fc.record({ text: fc.option(body), html: fc.option(body) });
    await fc.assert(
      fc.asyncProperty(texts, async ({ text, html }) => {
        const mail = await signed({ text, html });
        expect(mail.toString('latin1').replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
        expect(longestLine(mail)).toBeLessThanOrEqual(78);
        expect(await verify(mail)).toBe('pass');
      }),
      { numRuns: budget({ quick: 25, soak: 150 }) },
    );
  });

  it.each(LINE_ENDS)('keeps the lines of a long text that has %j between two slices', async (end) => {
    for (let length = 32_764; length < 32_770; length++) {
      const text = 'x\n'.repeat(16_384).slice(0, length - 1);
      const { raw } = compose({ text: `${text}y${end}z`, html: null });
      const lines = `${text}y${end}z`.replace(/\r\n|\r|\n/g, '\r\n');
      expect(raw.toString().endsWith(`\r\n\r\n${lines}\r\n`)).toBe(true);
    }
  });

  it('verifies if it is large', async () => {
    const html = '<p>Thank  you </p>\n\n'.repeat(30_000);
    expect(await verify(await signed({ html, text: `${'Thank you\n'.repeat(60_000)}\n\n` }))).toBe('pass');
  });

  it.each(LINE_ENDS)('keeps the lines of a text that ends in %j', async (end) => {
    const { text = '' } = await simpleParser(compose({ html: null, text: `one${end}two` }).raw);
    expect(text.split(/\s+/)).toEqual([...(end.includes('.') ? ['one', '.', 'two'] : ['one', 'two']), '']);
  });

  it.each([
    'x'.repeat(998),
    'a long subject of many words '.repeat(30).trim(),
    'ü'.repeat(400),
    '=?utf-8?Q?hello?=',
    'see =?utf-8?Q?a b?= here',
    'a =?utf-8?B?aGVsbG8=?= b',
    '=?',
    '?= "quoted" \\ (comment)',
    ' leading',
    'two  spaces',
    `a${' '.repeat(200)}b`,
    '👩‍👩‍👧'.repeat(60),
    'Größe ✓, “quotes”',
    'Добрый день! '.repeat(20).trim(),
  ])('keeps the subject, in lines of at most 78 characters: %j', async (subject) => {
    const { raw } = compose({ subject });
    expect(longestLine(raw)).toBeLessThanOrEqual(78);
    expect((await simpleParser(raw)).subject).toBe(subject);
  });

  it('keeps any subject and name', async () => {
    const words = fc.array(
      fc.oneof(
        fc.constantFrom('=?', '?=', '?Q?', '=?utf-8?Q?x?=', ' ', '"', '\\', ',', '<b@c.example>', 'ß', 'x'.repeat(99)),
        fc.string(),
      ),
      { maxLength: 8 },
    );
    const text = words.map((parts) => parts.join('').slice(0, 200).trim());
    await fc.assert(
      fc.asyncProperty(text, text, async (subject, senderName) => {
        const { raw } = compose({ subject, senderName });
        expect(longestLine(raw)).toBeLessThanOrEqual(78);
        const parsed = await simpleParser(raw);
        expect(parsed.subject ?? '').toBe(subject);
        expect(parsed.from?.value).toEqual([{ name: senderName, address: MESSAGE.sender }]);
      }),
      { numRuns: budget({ quick: 25, soak: 300 }) },
    );
  });

  it('has no empty header', async () => {
    const raw = compose({ subject: '', replyTo: null, unsubscribeUrl: null }).raw.toString();
    expect(raw).not.toMatch(/^(Subject|Reply-To|List-)/m);
  });
});

describe('The signature of a mail', () => {
  let mail: Buffer;

  beforeAll(async () => {
    mail = await signed();
  });

  it.each([
    ...['From: ceo@victim.example', 'Subject: Pay now', 'To: bob@example.org', 'Reply-To: thief@example.net'],
    ...['List-Unsubscribe: <https://thief.example>', 'List-Unsubscribe-Post: List-Unsubscribe=One-Click'],
    ...['Date: Mon, 01 Jan 2001 00:00:00 +0000', 'Message-ID: <2@example.net>', 'Content-Type: text/html'],
  ])('breaks when a header is added: %s', async (header) => {
    expect(await verify(mail)).toBe('pass');
    expect(await verify(Buffer.concat([Buffer.from(`${header}\r\n`), mail]))).toBe('fail');
  });

  it.each(['Reply-To: thief@example.net', 'List-Unsubscribe: <https://thief.example>', 'Subject: Pay now'])(
    'breaks when a header is added that the mail did not have: %s',
    async (header) => {
      const bare = await signed({ replyTo: null, unsubscribeUrl: null, subject: '' });
      expect(await verify(bare)).toBe('pass');
      expect(await verify(Buffer.concat([Buffer.from(`${header}\r\n`), bare]))).toBe('fail');
    },
  );

  it('verifies after a relay adds a trace header, refolds a header or changes white space', async () => {
    const relayed = mail
      .toString('latin1')
      .replace('Subject: Your order', 'SUBJECT:  Your\r\n\torder ')
      .replace('Thank you\r\n', 'Thank  you \r\n');
    expect(await verify(Buffer.from(`Received: from a by b; today\r\n${relayed}\r\n\r\n`, 'latin1'))).toBe('pass');
  });
});
