import { isId } from '../../../shared/ids.js';
import { parseIsoTime } from '../../../shared/iso-time.js';

/** An object out of somebody else's JSON: anything may be missing or of another type. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** Null for what is no text, and for an empty one. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Null for what cannot be an id of ours. */
export const idOf = (value: unknown): string | null => (typeof value === 'string' && isId(value) ? value : null);

/** What the word means by this table; undefined for one that is not in it, and for what is no text. */
export const meaningOf = <T>(table: Readonly<Record<string, T>>, word: unknown): T | undefined =>
  typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined;

const EARLIEST = Date.parse('2000-01-01T00:00:00Z');
const LATEST = Date.parse('2059-01-01T00:00:00Z');
const MS = 1_000;

/** As providers and forwarders also write it: a space for the T, a zone without colon or of hours alone. */
const LOOSE_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d[\d:.]*) ?(?:Z|([+-]\d\d):?(\d\d)?)?$/i;

/** Of an ISO time or of seconds since 1970; null for anything else, and for times at which no mail was or will be sent. */
export function timeOf(value: unknown): Date | null {
  const at =
    typeof value === 'number' ? new Date(Math.round(value * MS)) : parseIsoTime(strict(textOf(value) ?? ''))?.at;
  return at && at.getTime() >= EARLIEST && at.getTime() < LATEST ? at : null;
}

function strict(text: string): string {
  const [, date, time, zoneHours, zoneMinutes = '00'] = LOOSE_TIME.exec(text) ?? [];
  if (date === undefined || time === undefined) return text;
  return `${date}T${time}${zoneHours === undefined ? 'Z' : `${zoneHours}:${zoneMinutes}`}`;
}

/** Without what is null or missing. */
export const present = (data: Fields): Record<string, unknown> =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null && value !== undefined));

const MAX_DEPTH = 20;

/** The value with what PostgreSQL cannot hold left out: NUL, half a surrogate pair, and what is nested very deep. */
export function storable(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed();
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth === MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((inner) => storable(inner, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [storable(key) as string, storable(inner, depth + 1)]),
  );
}
