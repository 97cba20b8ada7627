import { describe, expect, it } from '@jest/globals';

import { Retention } from './retention.js';

const NOW = new Date('2026-03-15T10:00:00Z');

describe('Retention', () => {
  it('expires contents after a number of days, to the millisecond', () => {
    expect(new Retention(30, 0).contentsExpireBefore(NOW)).toEqual(new Date('2026-02-13T10:00:00Z'));
  });

  it.each([
    ['after two days', 30, '2026-02-13T10:00:00Z', '2026-03-13T10:00:00Z'],
    ['after two days if others are kept for ever', 0, '2025-12-12T10:00:00Z', '2026-03-13T10:00:00Z'],
    ['not again with others of the same age', 1, '2026-03-14T10:00:00Z', '2026-03-14T10:00:00Z'],
  ])('expires test contents %s', (_, days, from, to) => {
    expect(new Retention(days, 0).testContentsExpireBetween(NOW)).toEqual({ from: new Date(from), to: new Date(to) });
  });

  it('expires messages by whole months, beside the current one', () => {
    expect(new Retention(0, 13).messagesExpireBefore(NOW)).toEqual(new Date('2025-02-01T00:00:00Z'));
  });

  it('keeps for ever what has a period of 0', () => {
    expect(new Retention(0, 1).contentsExpireBefore(NOW)).toBeNull();
    expect(new Retention(1, 0).messagesExpireBefore(NOW)).toBeNull();
  });
});
