import { describe, expect, it } from '@jest/globals';

import { asciiField } from './ascii-field.js';
import { readHeaderFields } from './header-fields.js';

const ascii = (header: string) => asciiField(readHeaderFields(Buffer.from(`${header}\r\n\r\nBody`)).fields[0]!);

describe('A field in ASCII', () => {
  it.each([
    ['as it came', 'X-A: a  b\r\n\tc', 'X-A: a  b\r\n\tc'],
    ['without a space before the colon', 'Date : x', 'Date: x'],
    ['with encoded words', 'Subject: Grüße', 'Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?='],
    ['with encoded words once', 'Subject: =?utf-8?Q?Gr=C3=BC?= ß', 'Subject: =?UTF-8?Q?Gr=C3=BC_=C3=9F?='],
    ['with encoded names', 'Reply-To: Jürgen <j@example.org>', 'Reply-To: =?UTF-8?Q?J=C3=BCrgen?= <j@example.org>'],
    [
      'with the encoded name of a list',
      'List-Id: "Größe" <shop.example>',
      'List-Id: =?UTF-8?Q?Gr=C3=B6=C3=9Fe?= <shop.example>',
    ],
    ['with a name alone', 'Errors-To: Jürgen', 'Errors-To: =?UTF-8?Q?J=C3=BCrgen?='],
    [
      'with words that it cannot decode',
      'Subject: Re: =?x-klingon?Q?a?= ß',
      'Subject: Re: =?x-klingon?Q?a?= =?UTF-8?Q?_=C3=9F?=',
    ],
    ['with a domain in Punycode', 'Reply-To: j@grüße.example', 'Reply-To: j@xn--gre-6ka8l.example'],
    [
      'with encoded parameters',
      'Content-Type: application/pdf; name="Größe.pdf"',
      "Content-Type: application/pdf; name*0*=utf-8''Gr%C3%B6%C3%9Fe.pdf",
    ],
  ])('is %s', (_, header, expected) => {
    expect(ascii(header)).toBe(expected);
  });

  it('has lines that are not too long', () => {
    const lines = ascii(`Subject: ${'ü'.repeat(500)}`).split('\r\n');
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines) expect(line.length).toBeLessThan(100);
  });

  it('is refused if the other characters are in an address', () => {
    expect(() => ascii('Reply-To: ü@example.org')).toThrow(/^5\.6\.7 .* in the header reply-to$/);
  });
});
