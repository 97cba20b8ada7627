import { t } from '../texts/text';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** From this distance on, the date is shown instead of the number of days. */
const MAX_RELATIVE_MS = 7 * DAY_MS;

/** A time as a distance from now, such as `3 min ago` or `in 2 days`, or as a date from a week on. */
export function relativeTime(at: Date, now: Date, zone: string, locale: string): string {
  const distance = at.getTime() - now.getTime();
  const size = Math.abs(distance);
  if (size < MINUTE_MS) return t(distance > 0 ? 'common.time.now' : 'common.time.justNow');
  if (size >= MAX_RELATIVE_MS) return dateIn(zone, at, now, locale);
  const [unit, unitMs] = size < HOUR_MS ? (['minute', MINUTE_MS] as const) : hourOrDay(size);
  return wordsIn(locale).format(Math.trunc(distance / unitMs), unit);
}

const hourOrDay = (size: number) => (size < DAY_MS ? (['hour', HOUR_MS] as const) : (['day', DAY_MS] as const));

/** Formats are cached: creating one takes longer than anything else in a row of a list. */
const words = new Map<string, Intl.RelativeTimeFormat>();
const formats = new Map<string, Intl.DateTimeFormat>();

/** Uses British English for English: its short units have no full stops. */
function wordsIn(locale: string): Intl.RelativeTimeFormat {
  const tag = locale.startsWith('en') ? 'en-GB' : locale;
  const format = words.get(tag) ?? new Intl.RelativeTimeFormat(tag, { style: 'short', numeric: 'always' });
  words.set(tag, format);
  return format;
}

function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
}

/** The year is omitted if it is the current one. */
function dateIn(timeZone: string, at: Date, now: Date, locale: string): string {
  const yearOf = (time: Date) => formatOf('en', { year: 'numeric', timeZone }).format(time);
  const format: Intl.DateTimeFormatOptions =
    yearOf(at) === yearOf(now) ? { day: 'numeric', month: 'short' } : { dateStyle: 'medium' };
  return formatOf(locale, { ...format, timeZone }).format(at);
}

/** The exact local time with its zone, and the time in UTC, on two lines. */
export function exactTime(at: Date, timeZone: string, locale: string): string {
  const local = formatOf(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone });
  return `${local.format(at)} ${timeZone}\n${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
