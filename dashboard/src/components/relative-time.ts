const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** From this distance on, a date says more than a number of days. */
const MAX_RELATIVE_MS = 7 * DAY_MS;

const WORDS = new Intl.RelativeTimeFormat('en-GB', { style: 'short', numeric: 'always' });

/** A time as a distance from now, such as `3 min ago` or `in 2 days`, or as a date from a week on. */
export function relativeTime(at: Date, now: Date, zone: string): string {
  const distance = at.getTime() - now.getTime();
  const size = Math.abs(distance);
  if (size < MINUTE_MS) return distance > 0 ? 'now' : 'just now';
  if (size >= MAX_RELATIVE_MS) return dateIn(zone, at, now);
  const [unit, unitMs] = size < HOUR_MS ? (['minute', MINUTE_MS] as const) : hourOrDay(size);
  return WORDS.format(Math.trunc(distance / unitMs), unit);
}

const hourOrDay = (size: number) => (size < DAY_MS ? (['hour', HOUR_MS] as const) : (['day', DAY_MS] as const));

/** The year is omitted if it is the current one. */
function dateIn(timeZone: string, at: Date, now: Date): string {
  const yearOf = (time: Date) => new Intl.DateTimeFormat('en', { year: 'numeric', timeZone }).format(time);
  const year = yearOf(at) === yearOf(now) ? undefined : 'numeric';
  return new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year, timeZone }).format(at);
}

/** The exact local time with its zone, and the time in UTC, on two lines. */
export function exactTime(at: Date, timeZone: string): string {
  const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium', timeZone });
  return `${local.format(at)} ${timeZone}\n${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
