import { describe, expect, it } from '@jest/globals';

import { loadEnglish } from '../texts/load-english';
import { exactTime, relativeTime } from './relative-time';

const NOW = new Date('2026-11-22T12:00:00Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const relative = (ms: number, zone = 'UTC') => relativeTime(new Date(NOW.getTime() + ms), NOW, zone, 'en-GB');

loadEnglish();

describe('relativeTime', () => {
  it.each([
    [0, 'just now'],
    [-59 * SECOND, 'just now'],
    [-MINUTE, '1 min ago'],
    [-3 * MINUTE - 59 * SECOND, '3 min ago'],
    [-HOUR + 1, '59 min ago'],
    [-HOUR, '1 hr ago'],
    [-DAY + 1, '23 hr ago'],
    [-DAY, '1 day ago'],
    [-7 * DAY + 1, '6 days ago'],
  ])('counts down from %i ms', (ms, text) => {
    expect(relative(ms)).toBe(text);
  });

  it.each([
    [5 * SECOND, 'now'],
    [2 * MINUTE, 'in 2 min'],
    [26 * HOUR, 'in 1 day'],
  ])('looks ahead to %i ms', (ms, text) => {
    expect(relative(ms)).toBe(text);
  });

  it('speaks other languages', () => {
    const minutesAgo = new Date(NOW.getTime() - 3 * MINUTE);
    expect(relativeTime(minutesAgo, NOW, 'UTC', 'de-DE')).toBe('vor 3 Min.');
  });

  it('shows a date from a week on, with the year only if it is another one', () => {
    expect(relative(-7 * DAY)).toMatch(/15/);
    expect(relative(-7 * DAY)).not.toContain('2026');
    expect(relative(40 * DAY)).toContain('2027');
    expect(relative(-365 * DAY)).toContain('2025');
  });

  it('takes the date and its year from the zone', () => {
    const newYear = new Date('2026-12-31T23:30:00Z');
    const later = new Date('2027-01-20T12:00:00Z');
    expect(relativeTime(newYear, later, 'UTC', 'en-GB')).toContain('2026');
    expect(relativeTime(newYear, later, 'Europe/Zurich', 'en-GB')).not.toContain('2026');
    expect(relativeTime(newYear, later, 'Europe/Zurich', 'en-GB')).toContain('Jan');
  });
});

describe('exactTime', () => {
  it('shows the local time with its zone, and UTC', () => {
    const [local, utc] = exactTime(new Date('2026-07-01T22:15:30Z'), 'Europe/Zurich', 'en-GB').split('\n');
    for (const part of ['2', '2026', '15:30', 'Europe/Zurich']) expect(local).toContain(part);
    expect(utc).toBe('2026-07-01 22:15:30 UTC');
  });
});
