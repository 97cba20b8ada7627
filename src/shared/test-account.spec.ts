import { describe, expect, it } from '@jest/globals';

import { idTime, isId, newId } from './ids.js';
import { testAccountIdOf } from './test-account.js';

describe('The id of a test account', () => {
  const accountId = newId(new Date('2026-11-20T12:00:00.000Z'));

  it('is an id like others and always the same', () => {
    const id = testAccountIdOf(accountId);
    expect(isId(id)).toBe(true);
    expect(id).not.toBe(accountId);
    expect(testAccountIdOf(accountId)).toBe(id);
    expect(idTime(id)).toEqual(idTime(accountId));
  });

  it('differs for accounts of the same millisecond', () => {
    const ids = Array.from({ length: 1_000 }, () => testAccountIdOf(newId(new Date(0))));
    expect(new Set(ids).size).toBe(1_000);
  });
});
