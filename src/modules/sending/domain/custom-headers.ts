import { isRecord } from '../../../shared/is-record.js';
import { isSingleLine } from '../../../shared/text.js';

const MAX_HEADERS = 20;
const MAX_VALUE_BYTES = 900;
const NAME = /^[A-Za-z0-9-]{1,76}$/;

/** By which vendors control how they send. */
const VENDOR_CONTROL = /^(?:X-SES-.*|X-SMTPAPI|X-Mailgun-.*|X-PM-.*|X-Message-Ref)$/i;
/** Headers that the service sets, and that belong to the transport. */
const OWNED = new RegExp(
  `^(?:${[
    'From|To|Cc|Bcc|Sender|Reply-To|Subject|Date|Message-ID|Received|Return-Path',
    '(?:MIME|Content|DKIM|ARC)-.*|List-Unsubscribe.*',
  ].join('|')})$`,
  'i',
);

export const isVendorControl = (name: string): boolean => VENDOR_CONTROL.test(name);

export const isSetByService = (name: string): boolean => OWNED.test(name) || isVendorControl(name);

/** What is wrong with the `headers` of a request. */
export function headerFaults(value: unknown): string[] {
  if (!isRecord(value)) return [];
  const names = Object.keys(value);
  if (names.length > MAX_HEADERS) return [`headers must have at most ${MAX_HEADERS} entries`];
  const lower = names.map((name) => name.toLowerCase());
  return names.flatMap((name, i) => faultOf(name, value[name], lower.indexOf(lower[i] ?? '') < i) ?? []);
}

function faultOf(name: string, value: unknown, isRepeated: boolean): string | undefined {
  if (!NAME.test(name)) return `headers.${printable(name)} must have a name of 1 to 76 letters, digits and hyphens`;
  if (isSetByService(name)) return `headers.${name} is set by the service`;
  if (isRepeated) return `headers.${name} is given twice`;
  if (typeof value !== 'string') return `headers.${name} must be a string`;
  if (!isSingleLine(value)) return `headers.${name} must not contain line breaks or control characters`;
  const isValid = value.trim() !== '' && Buffer.byteLength(value) <= MAX_VALUE_BYTES;
  return isValid ? undefined : `headers.${name} must have 1 to ${MAX_VALUE_BYTES} bytes`;
}

/** A name from a request, for a message about it. */
export const printable = (name: string): string => name.replace(/[\p{C}\u2028\u2029]/gu, '?').slice(0, 76);
