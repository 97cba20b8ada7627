import { buffer } from 'node:stream/consumers';

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import DataStream from 'nodemailer/lib/smtp-connection/data-stream';

import { budget } from '../../../test/support/budget.js';
import { END_OF_DATA, linePieces, toDataLines } from './data-lines.js';

/** The bytes that nodemailer sends for these lines. */
async function sentByNodemailer(lines: Buffer): Promise<string> {
  const stream = new DataStream();
  stream.end(lines);
  return (await buffer(stream)).toString('latin1');
}

const piece = fc.oneof(
  fc.constantFrom('.', '..', '\r', '\n', '\r\n', '\r\n.\r\n', '\n.\n', 'Hello.', ' '),
  fc.string(),
);

describe('toDataLines', () => {
  it('escapes dots and corrects line ends as nodemailer does', async () => {
    const lines = fc.array(piece).map((pieces) => Buffer.from(`${pieces.join('')}x\r\n`));
    await fc.assert(
      fc.asyncProperty(lines, async (mail) => {
        const sent = Buffer.concat([toDataLines(mail), END_OF_DATA]).toString('latin1');
        expect(sent).toBe(await sentByNodemailer(mail));
        expect(sent.indexOf('\r\n.\r\n')).toBe(sent.length - 5);
      }),
      { numRuns: budget({ quick: 25, soak: 1_000 }) },
    );
  });

  it('does not copy lines that are sent as they are', () => {
    const lines = Buffer.from('Subject: Grüße.\r\n\r\nHello.\r\n');
    expect(toDataLines(lines)).toBe(lines);
  });
});

describe('linePieces', () => {
  it('cuts a mail at line ends only', () => {
    const lines = fc.array(piece).map((pieces) => Buffer.from(`${pieces.join('')}x\r\n`));
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 20 }), (mail, size) => {
        const pieces = [...linePieces(mail, size)];
        expect(Buffer.concat(pieces)).toEqual(mail);
        for (const part of pieces) expect(part.subarray(-2).toString()).toBe('\r\n');
        expect(pieces.slice(0, -1).every(({ length }) => length >= size)).toBe(true);
      }),
    );
  });
});
