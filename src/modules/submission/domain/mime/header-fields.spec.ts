import { describe, expect, it } from '@jest/globals';

import { readHeaderFields } from './header-fields.js';

describe('Header fields', () => {
  it.each([
    ['a space', '\r\n '],
    ['a tab', '\r\n\t'],
  ])('are unfolded where they are folded with %s, and keep their text', (_, fold) => {
    const text = `References: <a@x>${fold}<b@x>`;
    const { fields } = readHeaderFields(Buffer.from(`${text}\r\nSubject: a\tb\r\n\r\nbody`));
    expect(fields).toEqual([
      { name: 'references', value: '<a@x> <b@x>', text },
      { name: 'subject', value: 'a b', text: 'Subject: a\tb' },
    ]);
  });
});
