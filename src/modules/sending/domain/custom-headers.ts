import { MAX_CUSTOM_HEADERS, MAX_CUSTOM_HEADER_BYTES } from '../../../config/limits.js';
import { isNotPassedOn, isVendorControl } from '../../../shared/control-headers.js';
import { isRecord } from '../../../shared/is-record.js';
import { isSingleLine } from '../../../shared/text.js';

const NAME = /^[A-Za-z0-9-]{1,76}$/;

/** Headers that the service sets. */
const OWNED = /^(?:From|To|Cc|Reply-To|Subject|Date|Message-ID|(?:MIME|Content)-.*|List-Unsubscribe.*)$/i;

export const isSetByService = (name: string): boolean =>
  OWNED.test(name) || isNotPassedOn(name) || isVendorControl(name);

/** Validation errors of the `headers` of a request. */
export function headerFaults(value: unknown): string[] {
  if (!isRecord(value)) return [];
  const names = Object.keys(value);
  if (names.length > MAX_CUSTOM_HEADERS) return [`headers must have at most ${MAX_CUSTOM_HEADERS} entries`];
  const lower = names.map((name) => name.toLowerCase());
  return names.flatMap((name, i) => faultOf(name, value[name], lower.indexOf(lower[i] ?? '') < i) ?? []);
}

function faultOf(name: string, value: unknown, isRepeated: boolean): string | undefined {
  if (!NAME.test(name)) return `headers.${printable(name)} must have a name of 1 to 76 letters, digits and hyphens`;
  if (isSetByService(name)) return `headers.${name} is set by the service`;
  if (isRepeated) return `headers.${name} is given twice`;
  if (typeof value !== 'string') return `headers.${name} must be a string`;
  if (!isSingleLine(value)) return `headers.${name} must not contain line breaks or control characters`;
  const isValid = value.trim() !== '' && Buffer.byteLength(value) <= MAX_CUSTOM_HEADER_BYTES;
  return isValid ? undefined : `headers.${name} must have 1 to ${MAX_CUSTOM_HEADER_BYTES} bytes`;
}

/** Makes a name from a request printable, for a fault that names it. */
export const printable = (name: string): string => name.replace(/[\p{C}\u2028\u2029]/gu, '?').slice(0, 76);
