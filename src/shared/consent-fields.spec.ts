import { describe, expect, it } from '@jest/globals';

import { readConsentTime } from './consent-fields.js';

const NOW = new Date('2026-06-01T12:00:00.000Z');

describe('readConsentTime', () => {
  it.each([
    ['2026-05-31', '2026-05-31T00:00:00.000Z'],
    ['2026-05-31T10:00:00+02:00', '2026-05-31T08:00:00.000Z'],
    ['2026-05-31 10:00:00', '2026-05-31T10:00:00.000Z'],
    ['2026-06-01T12:00:00.000Z', '2026-06-01T12:00:00.000Z'],
  ])('reads %s', (text, at) => {
    expect(readConsentTime(text, NOW)).toEqual({ at: new Date(at) });
  });

  it('takes a time of a clock that is a few seconds ahead for now', () => {
    expect(readConsentTime('2026-06-01T12:00:30.000Z', NOW)).toEqual({ at: NOW });
  });

  it.each([
    ['2026-06-01T12:00:30.001Z', 'must not be in the future'],
    ['9999-12-31', 'must not be in the future'],
    ['1969-12-31', 'must not be before 1970'],
    ['0000-01-01', 'must not be before 1970'],
    ['2026-02-30', 'must be an ISO 8601 date or date-time'],
    ['yesterday', 'must be an ISO 8601 date or date-time'],
    ['', 'must be an ISO 8601 date or date-time'],
  ])('refuses %s', (text, fault) => {
    expect(readConsentTime(text, NOW)).toEqual({ fault });
  });
});
