import { describe, expect, it } from '@jest/globals';

import { firstId, idPrefix, isId, newId } from './ids.js';

describe('Ids', () => {
  const at = (time: string) => new Date(time);

  it('have 25 characters that cuid validators accept', () => {
    for (let i = 0; i < 2_000; i++) expect(newId(new Date())).toMatch(/^c[a-z0-9]{24}$/);
  });

  it('are not repeated within a millisecond', () => {
    const now = new Date();
    expect(new Set(Array.from({ length: 5_000 }, () => newId(now))).size).toBe(5_000);
  });

  it('sort by time', () => {
    const times = [
      '2026-01-31T23:59:59.999Z',
      '2026-02-01T00:00:00.000Z',
      '2026-11-21T12:00:00Z',
      '2058-01-01T00:00:00Z',
    ];
    const ids = times.map((time) => newId(at(time)));
    expect([...ids].sort()).toEqual(ids);
  });

  it('of a month lie between its first prefix and that of the next', () => {
    const [from, to] = [idPrefix(at('2026-11-01T00:00:00Z')), idPrefix(at('2026-12-01T00:00:00Z'))];
    expect(newId(at('2026-11-01T00:00:00.000Z')) >= from).toBe(true);
    expect(newId(at('2026-11-30T23:59:59.999Z')) < to).toBe(true);
    expect(newId(at('2026-12-01T00:00:00.000Z')) >= to).toBe(true);
    expect(newId(at('2026-12-01T00:00:00.000Z')) >= firstId(at('2026-12-01T00:00:00.000Z'))).toBe(true);
    expect(isId(firstId(at('2026-12-01T00:00:00.000Z')))).toBe(true);
  });

  it('are distinguished from other text', () => {
    expect(isId(newId(new Date()))).toBe(true);
    for (const text of ['', 'c', 'C' + 'a'.repeat(24), 'c' + 'a'.repeat(25), 'c' + 'ä'.repeat(24)])
      expect(isId(text)).toBe(false);
  });
});
