import { describe, expect, it } from '@jest/globals';

import { BulkPrecedence } from './bulk-precedence.js';

describe('BulkPrecedence', () => {
  const sequence = (waiting: { others: boolean; bulk: boolean }, count: number) => {
    const precedence = new BulkPrecedence();
    return Array.from({ length: count }, () => precedence.next(waiting));
  };

  it('serves every twentieth bulk message while others wait', () => {
    const served = sequence({ others: true, bulk: true }, 60);
    expect(served.flatMap((each, i) => (each === 'bulk' ? [i] : []))).toEqual([19, 39, 59]);
  });

  it('serves bulk messages if nobody else waits', () => {
    expect(new Set(sequence({ others: false, bulk: true }, 5))).toEqual(new Set(['bulk']));
  });

  it('owes nothing to bulk messages that did not wait', () => {
    const precedence = new BulkPrecedence();
    for (let i = 0; i < 100; i++) precedence.next({ others: true, bulk: false });
    expect(precedence.next({ others: true, bulk: true })).toBe('others');
  });
});
