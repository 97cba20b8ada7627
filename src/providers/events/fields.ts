import { isId } from '../../shared/ids.js';
import { parseIsoTime } from '../../shared/iso-time.js';

/** An object in a provider's JSON: fields may be missing or of any type. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** Null unless the value is a non-empty string. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Null unless the value has the format of the service's own ids. */
export const idOf = (value: unknown): string | null => (typeof value === 'string' && isId(value) ? value : null);

/** Looks a key up in a table of own properties; undefined for an unknown key. */
export const lookUp = <T>(table: Readonly<Record<string, T>>, key: unknown): T | undefined =>
  typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined;

const EARLIEST = Date.parse('2000-01-01T00:00:00Z');
const LATEST = Date.parse('2059-01-01T00:00:00Z');
const MS = 1_000;

/** Variants that providers and forwarders use: a space for the T, a zone without colon or with hours only. */
const LOOSE_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d[\d:.]*) ?(?:Z|([+-]\d\d):?(\d\d)?)?$/i;

/** Parses an ISO time or seconds since 1970. Null for anything else, and for implausible times. */
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

/** The data without null and undefined values. */
export const omitNullish = (data: Fields): Record<string, unknown> =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null && value !== undefined));

/** The maximum characters of JSON: a few times what providers report. */
const MAX_DATA_LENGTH = 8_000;
/** The limits of longer data, which is shortened. */
const KEPT = { fields: 20, nameLength: 100, length: 300 };
/** The fields that decide about the status of a message or about a suppression. */
const DECISIVE = ['bounceType', 'feedbackType', 'providerSuppression', 'automated'];

/**
 * The data or, if it is too long, the beginnings of its first fields. Events are stored and read in batches of
 * thousands, and a message is shown with all of its events.
 */
export function boundedData(data: Fields): Fields {
  if (JSON.stringify(data).length <= MAX_DATA_LENGTH) return data;
  const names = Object.keys(data).filter((name) => name.length <= KEPT.nameLength && !DECISIVE.includes(name));
  const kept = [...DECISIVE.filter((name) => Object.hasOwn(data, name)), ...names].slice(0, KEPT.fields);
  return Object.fromEntries(kept.map((name) => [name, beginningOf(data[name])]));
}

function beginningOf(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= KEPT.length ? value : text.slice(0, KEPT.length).toWellFormed();
}

const MAX_DEPTH = 20;
/** The maximum number of values in all objects and lists of an event: several times what providers report. */
const MAX_VALUES = 2_000;

/**
 * The value without text that PostgreSQL cannot store: NUL and lone surrogates. Very deep objects and lists, and those
 * with which it would hold too many values, are null.
 */
export function storable(value: unknown, depth = 0, left = { values: MAX_VALUES }): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed();
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const names = Array.isArray(value) ? [] : Object.keys(value);
  const size = Array.isArray(value) ? value.length : names.length;
  if (depth === MAX_DEPTH || size > left.values) return null;
  left.values -= size;
  if (Array.isArray(value)) return value.map((inner) => storable(inner, depth + 1, left));
  const inner = value as Fields;
  return Object.fromEntries(names.map((name) => [storable(name) as string, storable(inner[name], depth + 1, left)]));
}
