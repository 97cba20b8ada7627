import { describe, expect, it } from '@jest/globals';

import { LineScanner } from './line-scanner.js';

function scan(text: string, pieces: number): LineScanner {
  const scanner = new LineScanner();
  const bytes = Buffer.from(text, 'latin1');
  for (let start = 0; start < bytes.length; start += pieces) scanner.add(bytes.subarray(start, start + pieces));
  return scanner;
}

describe('LineScanner', () => {
  it.each(['\n.\n', '\n.\r\n', '\r\n.\n', '\r.\r', '\r\n.\r', '\r.\r\n', '\n.\r', '\n', '\r', '\r\r\n', '\n\r\n'])(
    'finds the bare CR or LF in %j, however the mail is cut into pieces',
    (sequence) => {
      for (const pieces of [1, 2, 3, 100])
        expect(scan(`a${sequence}b\r\n`, pieces).fault).toBe('its lines must end in CRLF');
    },
  );

  it('finds NUL characters, and nothing in lines that end in CRLF', () => {
    for (const pieces of [1, 2, 3, 100]) {
      expect(scan('a\0b\r\n', pieces).fault).toBe('it has a NUL character');
      expect(scan('a\r\n\r\n.\r\nb\r\n', pieces).fault).toBeUndefined();
    }
  });

  it('measures the longest line', () => {
    for (const pieces of [1, 7, 100]) expect(scan('ab\r\nabcde\r\n\r\nabc\r\n', pieces).longestLineBytes).toBe(5);
  });
});
