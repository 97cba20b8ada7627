import { describe, expect, it } from '@jest/globals';

import { readContactRow } from './read-contact-row.js';

describe('readContactRow', () => {
  it('names unknown fields in few words', () => {
    const row = { email: 'ada@example.com', ['x'.repeat(1_000_000)]: 1 };
    expect(readContactRow(row, new Date())).toEqual({ fault: `${'x'.repeat(100)} is not a known field` });
  });
});
