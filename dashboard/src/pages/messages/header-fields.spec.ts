import { expect, it } from '@jest/globals';

import { headerFieldsOf } from './header-fields';

it('unfolds header fields and stops at the body', () => {
  const source = 'Received: from a\r\n\tby b;\r\n date\r\nTo: ada@example.org\r\nX-Empty:\r\n\r\nNot: a header\r\n';
  expect(headerFieldsOf(source)).toEqual([
    ['Received', 'from a by b; date'],
    ['To', 'ada@example.org'],
    ['X-Empty', ''],
  ]);
});

it('ignores lines that are no header fields', () => {
  expect(headerFieldsOf('nonsense\nTo: ada@example.org')).toEqual([['To', 'ada@example.org']]);
  expect(headerFieldsOf('')).toEqual([]);
});
