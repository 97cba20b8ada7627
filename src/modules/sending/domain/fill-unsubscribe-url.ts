import { DomainError } from '../../../shared/domain-error.js';

const PLACEHOLDER = /\{\{\{ ?unsubscribeUrl ?\}\}\}|\{\{ ?unsubscribeUrl ?\}\}/g;
const MAX_LENGTH = 1_000_000;

/**
 * A body without a template, the one placeholder that it may have filled in; other braces are its own. `value` is asked
 * for only where there is one. Throws invalid, naming the field, for what gets too long by it.
 */
export function fillUnsubscribeUrl(field: 'html' | 'text', body: string, value: () => string): string {
  const places = body.match(PLACEHOLDER)?.length ?? 0;
  if (places === 0) return body;
  const url = value();
  if (body.length + places * url.length > MAX_LENGTH) {
    throw DomainError.invalid(`${field} is longer than ${MAX_LENGTH} characters once unsubscribeUrl is filled in`);
  }
  return body.replace(PLACEHOLDER, () => url);
}
