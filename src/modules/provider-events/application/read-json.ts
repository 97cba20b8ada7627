import { DomainError } from '../../../shared/domain-error.js';
import { type Fields, isFields } from '../domain/fields.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Throws invalid for what is not JSON. */
export function readJson(raw: Buffer | string): unknown {
  try {
    return JSON.parse(typeof raw === 'string' ? raw : utf8.decode(raw)) as unknown;
  } catch {
    throw DomainError.invalid('The body is not valid JSON');
  }
}

/** Throws invalid for what is not a JSON object. */
export function readJsonObject(raw: Buffer | string): Fields {
  const value = readJson(raw);
  if (!isFields(value)) throw DomainError.invalid('The body must be a JSON object');
  return value;
}
