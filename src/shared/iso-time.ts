export interface IsoTime {
  /** The time; for a date, the start of the day in UTC. */
  at: Date;
  isDate: boolean;
}

const DATE = /^\d{4}-\d\d-\d\d$/;
/** An unescaped plus sign in a query string arrives as a space. */
const DATE_TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+ -]\d\d:\d\d)?$/i;
const ENDS_IN_ZONE = /(?:Z|[+-]\d\d:\d\d)$/i;

/** Parses an ISO 8601 date or date-time, in UTC if it has no zone. Null for anything else, such as 30 February. */
export function parseIsoTime(text: string): IsoTime | null {
  if (DATE.test(text)) return isRealDate(text) ? { at: new Date(text), isDate: true } : null;
  const [, date = '', time = '', zone = 'Z'] = DATE_TIME.exec(text) ?? [];
  const at = new Date(`${date}T${time}${zone.toUpperCase().replace(' ', '+')}`);
  return isRealDate(date) && !Number.isNaN(at.getTime()) ? { at, isDate: false } : null;
}

/** Parses a date-time as `parseIsoTime` does, but only with `Z` or an offset. */
export function parseZonedIsoTime(text: string): Date | null {
  const time = ENDS_IN_ZONE.test(text) ? parseIsoTime(text) : null;
  return time && !time.isDate ? time.at : null;
}

/** `Date` reads 30 February as 2 March. */
function isRealDate(date: string): boolean {
  const parsed = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date);
}
