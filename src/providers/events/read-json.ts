import { DomainError } from '../../shared/domain-error.js';
import { type JsonLimits, shapeOf } from '../../shared/json-shape.js';
import { type Fields, isFields } from './fields.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Several times the largest batch of a vendor. The whole JSON is parsed in one iteration of the event loop. */
const MAX_EVENTS = 10_000;
const LIMITS: JsonLimits = { values: 100_000 };

/** Throws `invalid` for malformed JSON, for too many values, and for an array of too many events. */
export function readJson(raw: Buffer | string): unknown {
  shapeOf(typeof raw === 'string' ? Buffer.from(raw) : raw, LIMITS);
  const value = parse(raw);
  if (Array.isArray(value)) requireFewEvents(value);
  return value;
}

/** Limits a list whose entries become events. Throws `invalid`. */
export function requireFewEvents({ length }: readonly unknown[]): void {
  if (length > MAX_EVENTS) throw DomainError.invalid(`The body holds more than ${MAX_EVENTS} events`);
}

function parse(raw: Buffer | string): unknown {
  try {
    return JSON.parse(typeof raw === 'string' ? raw : utf8.decode(raw)) as unknown;
  } catch {
    throw DomainError.invalid('The body is not valid JSON');
  }
}

/** Throws `invalid` unless the text is a JSON object. */
export function readJsonObject(raw: Buffer | string): Fields {
  const value = readJson(raw);
  if (!isFields(value)) throw DomainError.invalid('The body must be a JSON object');
  return value;
}
