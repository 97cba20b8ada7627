import { describe, expect, it } from '@jest/globals';

import { decodeWords } from './encoded-words.js';

describe('Encoded words', () => {
  it.each([
    ['plain =?text', 'plain =?text'],
    ['=?utf-8?Q?Gr=C3=BC=C3=9Fe_an?= Ada', 'Grüße an Ada'],
    ['=?UTF-8?B?R3LDvMOfZQ==?=', 'Grüße'],
    ['=?utf-8?q?a?= =?utf-8?q?b?= c', 'ab c'],
    ['=?iso-8859-1?Q?caf=E9?=', 'café'],
    ['=?utf-8*en?Q?a?=', 'a'],
    // A character that is split between two words.
    ['=?utf-8?Q?Gr=C3?= =?utf-8?Q?=BC=C3=9Fe?=', 'Grüße'],
    ['=?utf-8?B?R3LD?= =?utf-8?B?vMOfZQ==?=', 'Grüße'],
    ['=?utf-8?B?QQ==?= =?utf-8?B?Qg==?=', 'AB'],
    // What programs write in spite of RFC 2047.
    ['=?UTF-8?Q?Gr=C3=BC=C3=9Fe aus Berlin?=', 'Grüße aus Berlin'],
    ['=?UTF-8?Q?Wie_geht=27s??=', "Wie geht's?"],
    ['Re: =?UTF-8?Q?Grüße_aus K=C3=B6ln?= (2)', 'Re: Grüße aus Köln (2)'],
    ['=?ISO_8859-1:1987?Q?caf=E9?=', 'café'],
    ['=?UTF-8?B?QUJD REVG?= =?utf-8?q?_?=x', 'ABCDEF x'],
    // Nobody decodes what has no end.
    ['=?utf-8?Q?a', '=?utf-8?Q?a'],
    // The text of a word may look like one.
    ['=?utf-8?Q?=3D=3Futf-8=3FQ=3Fa=3F=3D?=', '=?utf-8?Q?a?='],
  ])('decode %j', (value, text) => {
    expect(decodeWords(value)).toBe(text);
  });

  it.each(['=?x-unknown?Q?a?=', '=?utf-8?Q?=FF?=', '=?utf-8?Q?=FF?= =?utf-8?Q?a=?b?='])(
    'are not decoded if that is not possible: %j',
    (value) => {
      expect(decodeWords(value)).toBeNull();
    },
  );

  it('take linear time', () => {
    for (const hostile of ['=?utf-8?Q?a'.repeat(10_000), '=?utf-8?Q?a?= '.repeat(5_000), '=?'.repeat(50_000)])
      expect(decodeWords(hostile)).not.toBeUndefined();
  });
});
