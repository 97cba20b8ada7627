import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { isTimeZone, type QuietHours, quietUntil } from './quiet-hours.js';

const NIGHT = { from: '21:00', to: '08:00' };
const until = (at: string, hours: QuietHours) => quietUntil(new Date(at), hours)?.toISOString() ?? null;

describe('Quiet hours', () => {
  const berlin = { ...NIGHT, timeZone: 'Europe/Berlin' };

  it('end on the next day if they begin before midnight', () => {
    expect(until('2026-01-10T19:59:59.999Z', berlin)).toBeNull();
    expect(until('2026-01-10T20:00:00.000Z', berlin)).toBe('2026-01-11T07:00:00.000Z');
    expect(until('2026-01-11T06:59:59.999Z', berlin)).toBe('2026-01-11T07:00:00.000Z');
    expect(until('2026-01-11T07:00:00.000Z', berlin)).toBeNull();
  });

  it('may begin and end on the same day, or at midnight', () => {
    const noon = { from: '12:00', to: '14:00', timeZone: 'Asia/Kolkata' };
    expect(until('2026-06-01T06:29:59Z', noon)).toBeNull();
    expect(until('2026-06-01T06:30:00Z', noon)).toBe('2026-06-01T08:30:00.000Z');
    const evening = { from: '22:00', to: '00:00', timeZone: 'America/Phoenix' };
    expect(until('2026-06-01T05:00:00Z', evening)).toBe('2026-06-01T07:00:00.000Z');
    expect(until('2026-06-01T07:00:00Z', evening)).toBeNull();
  });

  it('end by the clocks of the zone in a night in which these change', () => {
    expect(until('2026-03-28T20:00:00Z', berlin)).toBe('2026-03-29T06:00:00.000Z');
    expect(until('2026-10-24T19:00:00Z', berlin)).toBe('2026-10-25T07:00:00.000Z');
  });

  it('end when clocks are put forward past their end, and are not held if these skip all of them', () => {
    const late = { from: '21:00', to: '02:30', timeZone: 'Europe/Berlin' };
    expect(until('2026-03-29T00:45:00Z', late)).toBe('2026-03-29T01:00:00.000Z');
    const skipped = { from: '02:00', to: '03:00', timeZone: 'Europe/Berlin' };
    expect(until('2026-03-29T00:59:59Z', skipped)).toBeNull();
    expect(until('2026-03-29T01:00:00Z', skipped)).toBeNull();
  });

  it('repeat what clocks show again when they are put back', () => {
    const late = { from: '21:00', to: '02:30', timeZone: 'Europe/Berlin' };
    expect(until('2026-10-25T00:15:00Z', late)).toBe('2026-10-25T00:30:00.000Z');
    expect(until('2026-10-25T00:45:00Z', late)).toBeNull();
    expect(until('2026-10-25T01:15:00Z', late)).toBe('2026-10-25T01:30:00.000Z');
  });

  it('end outside themselves, not before now, and at most a day and an hour later', () => {
    const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia'];
    const minutes = fc.integer({ min: 0, max: 1_439 });
    const text = (of: number) => `${String(Math.floor(of / 60)).padStart(2, '0')}:${String(of % 60).padStart(2, '0')}`;
    const times = fc.date({ min: new Date('2015-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(times, minutes, minutes, fc.constantFrom(...zones), (at, from, to, timeZone) => {
        fc.pre(from !== to);
        const hours = { from: text(from), to: text(to), timeZone };
        const end = quietUntil(at, hours);
        if (end === null) return;
        expect(end.getTime()).toBeGreaterThan(at.getTime());
        expect(end.getTime() - at.getTime()).toBeLessThanOrEqual(25 * 3_600_000);
        expect(quietUntil(end, hours)).toBeNull();
      }),
    );
  });

  it('are in a zone of the IANA database', () => {
    expect(['Europe/Berlin', 'UTC', 'US/Eastern', 'asia/kolkata'].filter(isTimeZone)).toHaveLength(4);
    expect(['Mars/Olympus', '+01:00', '', 'Europe/Berlin ', '__proto__'].filter(isTimeZone)).toEqual([]);
  });
});
