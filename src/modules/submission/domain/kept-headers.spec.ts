import { describe, expect, it } from '@jest/globals';

import { keptHeadersOf } from './kept-headers.js';
import { readHeaderFields } from '../../../mail/reading/header-fields.js';

const kept = (...headers: string[]) =>
  keptHeadersOf(readHeaderFields(Buffer.from(`${headers.join('\r\n')}\r\n\r\nBody`)).fields, () => false);

describe('The headers that a mail keeps', () => {
  it.each([
    ['Disposition-Notification-To', '"Jürgen" <shop@example.com>', '=?UTF-8?Q?J=C3=BCrgen?= <shop@example.com>'],
    [
      'Mail-Followup-To',
      'Jürgen <a@b.example>, c@grüße.example',
      '=?UTF-8?Q?J=C3=BCrgen?= <a@b.example>, c@xn--gre-6ka8l.example',
    ],
    ['List-Id', 'Größe <shop.example>', '=?UTF-8?Q?Gr=C3=B6=C3=9Fe?= <shop.example>'],
  ])('have addresses that stay readable in %s', (name, value, expected) => {
    expect(kept(`${name}: ${value}`)).toEqual({ [name]: expected });
  });

  it('are those that came, and text that is encoded once', () => {
    expect(kept('Errors-To: "A, b" <a@b.example>', 'X-A: =?utf-8?Q?=C3=BC?=', 'X-B: =?utf-8?Q?=C3=BC?= ß')).toEqual({
      'Errors-To': '"A, b" <a@b.example>',
      'X-A': '=?utf-8?Q?=C3=BC?=',
      'X-B': 'ü ß',
    });
  });

  it('cannot be composed with words that cannot be decoded beside other characters', () => {
    expect(kept('X-A: =?x-klingon?Q?a?= ß')).toBeNull();
  });

  it('are refused with other characters in an address', () => {
    expect(() => kept('Errors-To: ü@example.org')).toThrow(/^5\.6\.7 .* in the header errors-to$/);
  });
});
