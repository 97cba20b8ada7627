import { DAY_MS } from './utc.js';

/** A part of each day, from `from` until before `to`, by the clocks of a time zone; also across midnight. */
export interface QuietHours {
  /** `HH:MM`. */
  from: string;
  /** `HH:MM`. Not the same as `from`. */
  to: string;
  /** A name of the IANA time zone database. */
  timeZone: string;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

/** Whether the name is a time zone. Offsets, which newer versions of Node.js accept, are not. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    clockOf(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * The end of the quiet hours at that time; null outside of them. Clocks that are put back may repeat a part of the
 * quiet hours; clocks that are put forward past their end, or over all of them, end them at that moment.
 */
export function quietUntil(at: Date, hours: QuietHours): Date | null {
  const to = msOfDay(hours.to);
  if (!isQuiet(at.getTime(), hours)) return null;
  let [last, end] = [at.getTime(), at.getTime()];
  let expected: number;
  do {
    const shown = clockTime(end, hours.timeZone);
    last = end;
    end += (to - shown + DAY_MS) % DAY_MS || DAY_MS;
    expected = to;
  } while (isQuiet(end, hours));
  return new Date(clockTime(end, hours.timeZone) === expected ? end : firstAfterChange(last, end, hours));
}

/**
 * The first time that is not quiet after the clocks have changed, between a quiet time and one that is not. Changes are
 * at whole seconds.
 */
function firstAfterChange(quiet: number, notQuiet: number, hours: QuietHours): number {
  let [before, after] = [Math.floor(quiet / SECOND_MS), Math.ceil(notQuiet / SECOND_MS)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (isQuiet(middle * SECOND_MS, hours)) before = middle;
    else after = middle;
  }
  return after * SECOND_MS;
}

function isQuiet(at: number, { from, to, timeZone }: QuietHours): boolean {
  const [shown, start, end] = [clockTime(at, timeZone), msOfDay(from), msOfDay(to)];
  return start < end ? shown >= start && shown < end : shown >= start || shown < end;
}

/** The time on the clocks of the zone, in milliseconds since midnight. */
function clockTime(at: number, timeZone: string): number {
  const [hour = 0, minute = 0, second = 0] = clockOf(timeZone).format(at).split(':').map(Number);
  return hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS + (at % SECOND_MS);
}

/** Converts `HH:MM` to milliseconds since midnight. */
function msOfDay(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * HOUR_MS + minute * MINUTE_MS;
}

/**
 * Formats are cached: creating one takes a hundred times as long as using it. There are as many as time zones, with
 * their aliases.
 */
const clocks = new Map<string, Intl.DateTimeFormat>();

/** Throws if there is no such time zone. Names are compared case-insensitively. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const name = timeZone.toLowerCase();
  const known = clocks.get(name);
  if (known) return known;
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, ...time });
  clocks.set(name, clock);
  return clock;
}
