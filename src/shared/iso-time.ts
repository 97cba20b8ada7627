export interface IsoTime {
  /** Of a date: its first moment in UTC. */
  at: Date;
  isDate: boolean;
}

const DATE = /^\d{4}-\d\d-\d\d$/;
/** A plus sign that was not escaped in a query arrives as a space. */
const DATE_TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+ -]\d\d:\d\d)?$/i;

/** An ISO 8601 date or date-time, in UTC where it names no zone. Null for anything else, days that do not exist included. */
export function parseIsoTime(text: string): IsoTime | null {
  if (DATE.test(text)) return isRealDate(text) ? { at: new Date(text), isDate: true } : null;
  const [, date = '', time = '', zone = 'Z'] = DATE_TIME.exec(text) ?? [];
  const at = new Date(`${date}T${time}${zone.toUpperCase().replace(' ', '+')}`);
  return isRealDate(date) && !Number.isNaN(at.getTime()) ? { at, isDate: false } : null;
}

/** JavaScript takes 30 February for 2 March. */
function isRealDate(date: string): boolean {
  const parsed = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date);
}
