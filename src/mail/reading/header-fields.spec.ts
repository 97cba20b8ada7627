import { describe, expect, it } from '@jest/globals';

import { addressHeadersOf, visibleRecipientsOf } from './addresses.js';
import { keptHeadersOf } from '../../modules/submission/domain/kept-headers.js';
import { decodeWords } from './encoded-words.js';
import { readHeaderFields } from './header-fields.js';

const fieldsOf = (header: string) => readHeaderFields(Buffer.from(`${header}\r\n\r\nBody`)).fields;
const valueOf = (header: string) => fieldsOf(header)[0]!.value;

describe('Header fields', () => {
  it.each([
    ['a space', 'Subject: long\r\n subject', 'long subject'],
    ['a tab', 'Subject: long\r\n\tsubject', 'long subject'],
    ['white space on both sides', 'Subject: long \r\n\t  subject', 'long subject'],
    ['a line of white space', 'Subject: long\r\n \r\n\tsubject', 'long subject'],
    ['its first line', 'Subject:\r\n\tlong subject', 'long subject'],
    ['nothing but a tab inside', 'Subject: long\tsubject', 'long subject'],
    ['a character whose last byte is a space in Latin-1', 'Subject: voil\u00e0\r\n\td\u00e9j\u00e0', 'voilà déjà'],
  ])('are unfolded at %s', (_, header, value) => {
    expect(valueOf(header)).toBe(value);
  });

  it('keep spaces that are not at a fold, and the field as it came', () => {
    expect(fieldsOf('X-A: a  b\r\n\tc')).toEqual([{ name: 'x-a', value: 'a  b c', text: 'X-A: a  b\r\n\tc' }]);
  });

  it('can be used if they are folded with tabs', () => {
    expect(visibleRecipientsOf(addressHeadersOf(fieldsOf('To: "My\r\n\tShop"\r\n\t<a@example.com>')))).toEqual({
      to: [{ email: 'a@example.com', name: 'My Shop' }],
      cc: [],
    });
    expect(decodeWords(valueOf('Subject: =?utf-8?Q?Gr=C3=BC?=\r\n\t=?utf-8?Q?=C3=9Fe?='))).toBe('Grüße');
    const custom = fieldsOf(
      'References: <a@x>\r\n\t<b@x>\r\nList-Unsubscribe: <mailto:u@x.example>,\r\n\t<https://x.example/u>',
    );
    expect(keptHeadersOf(custom, () => false)).toEqual({
      References: '<a@x> <b@x>',
      'List-Unsubscribe': '<mailto:u@x.example>, <https://x.example/u>',
    });
  });
});
