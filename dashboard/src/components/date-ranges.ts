import { startOfDay, toWallClock } from './zoned-time';

/** Calendar days, `2026-11-22`, both inclusive. */
export interface DayRange {
  from: string;
  to: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export const RANGE_PRESETS = ['today', 'yesterday', 'last-7-days', 'last-30-days', 'this-month', 'last-month'] as const;

export type RangePreset = (typeof RANGE_PRESETS)[number];

export const isRangePreset = (value: string): value is RangePreset => RANGE_PRESETS.some((preset) => preset === value);

/** The calendar day at a time in a zone. */
export const dayAt = (now: Date, zone: string): string => toWallClock(now.toISOString(), zone).slice(0, 10);

/** The days of a preset, which end with today except for past periods. */
export function rangeOf(preset: RangePreset, today: string): DayRange {
  const firstOfMonth = `${today.slice(0, 7)}-01`;
  switch (preset) {
    case 'today':
      return { from: today, to: today };
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) };
    case 'last-7-days':
      return { from: addDays(today, -6), to: today };
    case 'last-30-days':
      return { from: addDays(today, -29), to: today };
    case 'this-month':
      return { from: firstOfMonth, to: today };
    case 'last-month': {
      const to = addDays(firstOfMonth, -1);
      return { from: `${to.slice(0, 7)}-01`, to };
    }
  }
}

/** Days have no length, so this is independent of time zones and clock changes. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Whether a string is a calendar day that exists. */
export function isDay(text: string): boolean {
  const time = DAY.test(text) ? new Date(`${text}T00:00:00Z`).getTime() : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/**
 * Returns the start of the first day and the end (exclusive) of the last day in a zone, for an API query. An invalid
 * day is passed on unchanged: the API rejects it.
 */
export function toTimes({ from, to }: Partial<DayRange>, zone: string): { from?: string; to?: string } {
  const start = (day: string, daysLater: number) => (isDay(day) ? startOfDay(addDays(day, daysLater), zone) : day);
  return {
    ...(from === undefined ? {} : { from: start(from, 0) }),
    ...(to === undefined ? {} : { to: start(to, 1) }),
  };
}
