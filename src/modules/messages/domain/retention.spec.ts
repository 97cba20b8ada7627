import { describe, expect, it } from '@jest/globals';

import { Retention } from './retention.js';

const NOW = new Date('2026-03-15T10:00:00Z');

describe('Retention', () => {
  it('expires contents after a number of days, to the millisecond', () => {
    expect(new Retention(30, 0).contentsExpireBefore(NOW)).toEqual(new Date('2026-02-13T10:00:00Z'));
  });

  it('expires messages by whole months, beside the current one', () => {
    expect(new Retention(0, 13).messagesExpireBefore(NOW)).toEqual(new Date('2025-02-01T00:00:00Z'));
  });

  it('keeps for ever what has a period of 0', () => {
    expect(new Retention(0, 1).contentsExpireBefore(NOW)).toBeNull();
    expect(new Retention(1, 0).messagesExpireBefore(NOW)).toBeNull();
  });
});
