import { describe, expect, it } from '@jest/globals';

import { parseIsoTime } from './iso-time.js';

describe('parseIsoTime', () => {
  it.each([
    ['2026-11-21', '2026-11-21T00:00:00.000Z', true],
    ['2024-02-29', '2024-02-29T00:00:00.000Z', true],
    ['2026-11-21T10:30Z', '2026-11-21T10:30:00.000Z', false],
    ['2026-11-21t10:30:05.123456z', '2026-11-21T10:30:05.123Z', false],
    ['2026-11-21T10:30:05', '2026-11-21T10:30:05.000Z', false],
    ['2026-11-21T10:30:05+02:00', '2026-11-21T08:30:05.000Z', false],
    ['2026-11-21T10:30:05 02:00', '2026-11-21T08:30:05.000Z', false],
    ['2026-11-21T10:30:05-02:30', '2026-11-21T13:00:05.000Z', false],
  ])('reads %s', (text, at, isDate) => {
    expect(parseIsoTime(text)).toEqual({ at: new Date(at), isDate });
  });

  it.each([
    '',
    'yesterday',
    '2026',
    '2026-11',
    '2026-13-01',
    '2026-02-29',
    '2026-02-30T00:00:00Z',
    '2026-11-31',
    '2026-11-21T24:30Z',
    '2026-11-21T10:61Z',
    '2026-11-21T10:30+99:00',
    '21.11.2026',
    '1795219200000',
    '2026-11-21T10:30Z; DROP TABLE message_logs',
  ])('refuses %j', (text) => {
    expect(parseIsoTime(text)).toBeNull();
  });
});
