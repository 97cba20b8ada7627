import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import MailComposer from 'nodemailer/lib/mail-composer';

import { budget } from '../../../test/support/budget.js';
import type { OutgoingAttachment } from '../../modules/sending/application/ports/message-provider.js';
import { encodeLines } from './base64-lines.js';
import { buildMail, type MailBody } from './build-mail.js';

/** The size in which nodemailer encodes a content. */
const SLICE = 64 * 1_024;
const HEADERS = ['Message-ID: <c1@example.com>', 'Date: Thu, 01 Jan 1970 00:00:00 +0000'];

/** Special cases of encodings and line breaking, between ordinary words. */
const piece = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 100 }) },
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('\n', '.', '\n.\n', ' ', '\t', ' \n', '=', 'ß', '👩‍👩‍👧', 'x'.repeat(200), 'Hello world. '),
);
const body = fc
  .array(piece, { minLength: 1, maxLength: 30 })
  .map((pieces) => `.${pieces.join('')}`.replace(/\r\n|\r|\n/g, '\r\n'));
const fileNames = ['a.pdf', 'ä ö.pdf', 'a"b\\c.txt', `${'long-name-'.repeat(12)}.bin`, '発注書.xlsx', ' x;y=z .csv'];
const attachments = fc.array(
  fc.record({
    filename: fc.constantFrom(...fileNames),
    contentType: fc.constantFrom('application/pdf', 'image/png', 'text/plain; charset=utf-8', 'message/rfc822'),
    contentId: fc.constantFrom(null, 'logo', 'image.1@example.com'),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 200 }),
  }),
  { maxLength: 3 },
);
type File = Omit<OutgoingAttachment, 'encoded'> & { bytes: Uint8Array };
type Parts = Pick<MailBody, 'text' | 'html'> & { files: readonly File[] };

const ours = async ({ text, html, files }: Parts): Promise<string> => {
  const encoded = files.map(({ bytes, ...file }) => ({ ...file, encoded: [encodeLines(Buffer.from(bytes))] }));
  const parts = buildMail(HEADERS, { text, html, attachments: encoded }, 'c1');
  return Buffer.concat(parts).toString();
};

async function theirs({ text, html, files }: Parts): Promise<string> {
  const mail = await new MailComposer({
    messageId: '<c1@example.com>',
    date: new Date(0),
    text,
    ...(html === null ? {} : { html }),
    attachments: files.map(({ filename, contentType, contentId, bytes }) => ({
      ...{ filename, contentType, content: Buffer.from(bytes), contentTransferEncoding: 'base64' as const },
      contentDisposition: contentId === null ? ('attachment' as const) : ('inline' as const),
      ...(contentId === null ? {} : { cid: contentId }),
    })),
  })
    .compile()
    .build();
  return mail.toString();
}

/**
 * The mail without the names of boundaries, the order of headers, the positions of soft line breaks (RFC 2045 §6.7),
 * and empty lines before a boundary.
 */
function comparable(mail: string): string {
  const boundaries = [...new Set(mail.match(/(?<=boundary=")[^"]+/g))];
  const named = boundaries.reduce((text, boundary, i) => text.replaceAll(boundary, `boundary ${i}`), mail);
  const [, headers = '', content = ''] = /^(.*?)\r\n\r\n(.*)$/s.exec(named) ?? [];
  const sorted = headers.replaceAll('\r\n ', ' ').split('\r\n').sort().join('\r\n');
  const parts = content.replaceAll('=\r\n', '').split('--boundary');
  return [sorted, ...parts.map((part) => part.trimEnd())].join('\r\n--boundary');
}
const longestLine = (mail: string) => mail.split(/\r?\n/).reduce((longest, { length }) => Math.max(longest, length), 0);

async function expectSameAsNodemailer(parts: Parts): Promise<void> {
  const [mail, expected] = [await ours(parts), await theirs(parts)];
  expect(comparable(mail)).toBe(comparable(expected));
  expect(longestLine(mail)).toBeLessThanOrEqual(Math.max(longestLine(expected), 76));
  expect(mail.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  expect(mail.endsWith('\r\n')).toBe(true);
}

describe('buildMail', () => {
  it('builds the same mail as nodemailer', async () => {
    const mails = fc.record({ text: body, html: fc.option(body), files: attachments });
    await fc.assert(fc.asyncProperty(mails, expectSameAsNodemailer), { numRuns: budget({ quick: 25, soak: 500 }) });
  });

  it.each(['Hello world. ', 'Grüße, ', 'Добрый день! ', '=', 'x'])(
    'builds the same mail as nodemailer for repetitions of %j',
    async (word) => {
      const [text, html] = [word.repeat(3 * SLICE), `<p>${word.repeat(3 * SLICE)}</p>`];
      await expectSameAsNodemailer({ text, html, files: [] });
    },
  );

  it('leaves out an empty text beside HTML', async () => {
    expect(await ours({ text: '', html: '<img src="cid:logo">', files: [] })).toMatch(
      /Content-Type: text\/html; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n<img src="cid:logo">\r\n$/,
    );
  });
});
