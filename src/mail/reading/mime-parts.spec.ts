import { describe, expect, it } from '@jest/globals';

import { leavesOf, MimeReader } from './mime-parts.js';

function partsOf(afterDelimiter: string): string[] {
  const mail = Buffer.from(
    `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\none\r\n--b${afterDelimiter}\r\n\r\ntwo\r\n--b--\r\n`,
    'latin1',
  );
  const root = new MimeReader(mail).read();
  return leavesOf(root).map(({ start, end }) => mail.toString('latin1', start, end));
}

describe('Parts of a mail', () => {
  it.each(['', ' ', '\t', ' \t '])('are divided by a delimiter followed by %j', (padding) => {
    expect(partsOf(padding)).toEqual(['one', 'two']);
  });

  it.each(['\xa0', '\x0b', '\x0c', 'x'])('are not divided by a line that goes on with %j', (rest) => {
    expect(partsOf(rest)).toEqual([`one\r\n--b${rest}\r\n\r\ntwo`]);
  });
});
