import { describe, expect, it } from '@jest/globals';

import { addDays, dayAt, isDay, rangeOf, toTimes } from './date-ranges';

describe('dayAt', () => {
  it('changes at midnight in the zone', () => {
    expect(dayAt(new Date('2026-01-10T22:59:59Z'), 'Europe/Zurich')).toBe('2026-01-10');
    expect(dayAt(new Date('2026-01-10T23:00:00Z'), 'Europe/Zurich')).toBe('2026-01-11');
    expect(dayAt(new Date('2026-01-11T00:00:00Z'), 'America/Los_Angeles')).toBe('2026-01-10');
    expect(dayAt(new Date('2026-01-10T18:30:00Z'), 'Asia/Kolkata')).toBe('2026-01-11');
  });
});

describe('rangeOf', () => {
  it.each([
    ['today', '2026-11-22', '2026-11-22'],
    ['yesterday', '2026-11-21', '2026-11-21'],
    ['last-7-days', '2026-11-16', '2026-11-22'],
    ['last-30-days', '2026-10-24', '2026-11-22'],
    ['this-month', '2026-11-01', '2026-11-22'],
    ['last-month', '2026-10-01', '2026-10-31'],
  ] as const)('%s', (preset, from, to) => {
    expect(rangeOf(preset, '2026-11-22')).toEqual({ from, to });
  });

  it('crosses months and years', () => {
    expect(rangeOf('yesterday', '2028-03-01')).toEqual({ from: '2028-02-29', to: '2028-02-29' });
    expect(rangeOf('last-month', '2027-01-31')).toEqual({ from: '2026-12-01', to: '2026-12-31' });
    expect(rangeOf('last-7-days', '2027-01-03')).toEqual({ from: '2026-12-28', to: '2027-01-03' });
  });
});

describe('addDays', () => {
  it('is not affected by a change of the clocks', () => {
    expect(addDays('2026-03-28', 1)).toBe('2026-03-29');
    expect(addDays('2026-03-29', 1)).toBe('2026-03-30');
    expect(addDays('2026-10-25', 1)).toBe('2026-10-26');
  });
});

describe('toTimes', () => {
  const hours = (range: { from?: string; to?: string }) =>
    (new Date(range.to ?? '').getTime() - new Date(range.from ?? '').getTime()) / 3_600_000;
  const times = (from: string, zone: string, to = from) => toTimes({ from, to }, zone);

  it('covers whole local days', () => {
    expect(times('2026-01-11', 'Europe/Zurich')).toEqual({
      from: '2026-01-10T23:00:00.000Z',
      to: '2026-01-11T23:00:00.000Z',
    });
  });

  it('covers 23 hours when the clocks go forward, and 25 when they go back', () => {
    expect(times('2026-03-29', 'Europe/Zurich')).toEqual({
      from: '2026-03-28T23:00:00.000Z',
      to: '2026-03-29T22:00:00.000Z',
    });
    expect(hours(times('2026-10-25', 'Europe/Zurich'))).toBe(25);
    expect(hours(times('2026-10-24', 'Europe/Zurich', '2026-10-26'))).toBe(73);
  });

  it('starts with the change of the clocks if there is no midnight, and with the first of two midnights', () => {
    // Chile's clocks go from 24:00 to 1:00, and from 24:00 back to 23:00.
    expect(times('2026-09-06', 'America/Santiago')).toEqual({
      from: '2026-09-06T04:00:00.000Z',
      to: '2026-09-07T03:00:00.000Z',
    });
    expect(hours(times('2026-04-04', 'America/Santiago'))).toBe(25);
    // Cuba's go from 1:00 back to 0:00.
    expect(hours(times('2026-11-01', 'America/Havana'))).toBe(25);
    expect(times('2026-11-01', 'America/Havana').from).toBe('2026-11-01T04:00:00.000Z');
  });

  it('keeps open ends and invalid days', () => {
    expect(toTimes({ from: '2026-02-30' }, 'UTC')).toEqual({ from: '2026-02-30' });
    expect(toTimes({ to: '2026-11-22' }, 'UTC')).toEqual({ to: '2026-11-23T00:00:00.000Z' });
    expect(isDay('2026-02-30')).toBe(false);
    expect(isDay('22.11.2026')).toBe(false);
  });
});
