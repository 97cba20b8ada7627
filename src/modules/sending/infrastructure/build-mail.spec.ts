import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import MailComposer from 'nodemailer/lib/mail-composer';

import { buildMail } from './build-mail.js';

/** The size in which nodemailer encodes a content. */
const SLICE = 64 * 1_024;

type Parts = Partial<Record<'subject' | 'name' | 'text' | 'html' | 'unsubscribe', string>>;

/** Special cases of encodings and line breaking, between ordinary words. */
const piece = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 100 }) },
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '\n',
    '\r\n',
    '\r',
    '.',
    '\r\n.\r\n',
    ' ',
    '\t',
    ' \r\n',
    '=',
    'ß',
    '👩‍👩‍👧',
    'x'.repeat(200),
    'Hello world. ',
  ),
);
const words = (most: number) => fc.array(piece, { maxLength: most }).map((pieces) => pieces.join(''));
const body = fc.option(words(30), { nil: undefined });

const mail = fc.record({
  subject: words(4),
  name: words(2),
  text: body,
  html: body,
  unsubscribe: fc.option(fc.webUrl(), { nil: undefined }),
});

function compose({ subject, name, text, html, unsubscribe }: Parts) {
  return new MailComposer({
    from: { name: name ?? '', address: 'shop@example.com' },
    to: { name: '', address: 'ada@example.org' },
    subject: subject ?? '',
    messageId: '<c1@example.com>',
    baseBoundary: 'c1',
    date: new Date(0),
    ...(text === undefined ? {} : { text }),
    ...(html === undefined ? {} : { html }),
    headers: unsubscribe === undefined ? {} : { 'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` } },
  }).compile();
}

/** The positions of soft line breaks have no meaning (RFC 2045 §6.7). */
const withoutSoftBreaks = (raw: Buffer) => raw.toString().replaceAll('=\r\n', '');
const longestLine = (raw: Buffer) =>
  raw
    .toString()
    .split(/\r?\n/)
    .reduce((longest, { length }) => Math.max(longest, length), 0);

async function expectSameAsNodemailer(parts: Parts): Promise<void> {
  const [ours, theirs] = [buildMail(compose(parts)), await compose(parts).build()];
  expect(withoutSoftBreaks(ours)).toBe(withoutSoftBreaks(theirs));
  expect(longestLine(ours)).toBeLessThanOrEqual(Math.max(longestLine(theirs), 76));
}

describe('buildMail', () => {
  it('builds the same mail as nodemailer', async () => {
    await fc.assert(fc.asyncProperty(mail, expectSameAsNodemailer), { numRuns: 500 });
  });

  it.each(['Hello world. ', 'Grüße, ', 'Добрый день! ', '=', 'x'])(
    'builds the same mail as nodemailer for repetitions of %j',
    async (word) => {
      await expectSameAsNodemailer({ text: word.repeat(3 * SLICE), html: `<p>${word.repeat(3 * SLICE)}</p>` });
    },
  );
});
