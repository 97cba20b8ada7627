import { domainToASCII, domainToUnicode } from 'node:url';

import { foldCase } from './text.js';

/** The maximum length in octets. A path has at most 256, angle brackets included (RFC 5321 §4.5.3.1.3). */
export const MAX_EMAIL_LENGTH = 254;
const MAX_LOCAL_PART_OCTETS = 64;
const MAX_DOMAIN_LENGTH = 253;

/**
 * The form in which addresses are compared: trimmed, lower case, composed (NFC), domain in punycode. Text that is not
 * an address is trimmed, lower-cased and composed.
 */
export function normaliseEmail(email: string): string {
  return isPlain(email) ? email.toLowerCase() : deliverableEmail(foldCase(email));
}

/** The address for SMTP: local part as given, domain in punycode. */
export function deliverableEmail(email: string): string {
  const { local, domain } = splitEmail(email.trim());
  return domain === null ? local : `${local}@${asciiDomain(domain) || domain}`;
}

/** The domain in punycode; empty if there is none or IDNA does not allow it. */
export const emailDomain = (email: string): string => asciiDomain(splitEmail(email.trim()).domain ?? '');

/** Addresses with a non-ASCII local part need SMTPUTF8 (RFC 6531) on every relay on the way. */
export const hasAsciiLocalPart = (email: string): boolean => !/[^\0-\x7f]/.test(splitEmail(email.trim()).local);

/** The maximum length of a plain address, within every limit of a part or label. */
const MAX_PLAIN_LENGTH = 63;
const PLAIN = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z\d]+(?:-[a-z\d]+)*\.)+[a-z]+$/i;

/** Whether the text is an ordinary address: short, of ASCII characters only, without punycode. */
const isPlain = (text: string): boolean => text.length <= MAX_PLAIN_LENGTH && PLAIN.test(text);

const INVISIBLE = /\p{C}/u;
const LOCAL_PART = /^[^\s@<>()[\]\\,;:"]+$/u;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Whether mail can be sent to the address: the unquoted form of RFC 5321 §4.1.2 with a dotted domain, internationalised
 * or not, of at most 254 octets both with the domain in Unicode and in punycode.
 * Surrounding spaces are ignored; control and other invisible characters (line breaks, zero-width spaces) are refused.
 */
export function isEmailAddress(text: string): boolean {
  if (isPlain(text)) return true;
  if (text.length > MAX_EMAIL_LENGTH || INVISIBLE.test(text)) return false;
  const email = text.trim();
  const { local, domain } = splitEmail(email);
  if ([email, deliverableEmail(email)].some((form) => Buffer.byteLength(form) > MAX_EMAIL_LENGTH)) return false;
  return isLocalPart(local) && domain !== null && isDottedDomain(asciiDomain(domain));
}

/**
 * Validation error of a value that is no email address, without the name of its field. Hints say what to use instead.
 */
export function emailFault(value: unknown, { list, name }: { list?: string; name?: string } = {}): string {
  if (list !== undefined && Array.isArray(value)) return `must be one email address: ${list}`;
  const hasName = typeof value === 'string' && value.includes('<') && value.trimEnd().endsWith('>');
  if (!hasName) return 'must be an email address';
  return `must be an email address without a name and angle brackets${name === undefined ? '' : `: ${name}`}`;
}

const isLocalPart = (local: string): boolean =>
  LOCAL_PART.test(local) && !/^\.|\.\.|\.$/.test(local) && Buffer.byteLength(local) <= MAX_LOCAL_PART_OCTETS;

function isDottedDomain(domain: string): boolean {
  const labels = domain.split('.');
  const topLevel = labels.at(-1) ?? '';
  return (
    labels.length > 1 &&
    domain.length <= MAX_DOMAIN_LENGTH &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(topLevel)
  );
}

function splitEmail(email: string): { local: string; domain: string | null } {
  const at = email.lastIndexOf('@');
  return at < 0 ? { local: email, domain: null } : { local: email.slice(0, at), domain: email.slice(at + 1) };
}

const NON_DOMAIN_ASCII = /[\0-,/:-`{-\x7f]/;

/**
 * Returns an empty text for a domain that IDNA does not allow. `domainToASCII` parses its argument as the host of a
 * URL, so characters with a meaning in URLs are refused first: otherwise `a.example/b` and `a.example` would be the
 * same domain.
 */
function asciiDomain(domain: string): string {
  const lower = domain.toLowerCase();
  if (NON_DOMAIN_ASCII.test(lower)) return '';
  if (/^[a-z0-9.-]*$/.test(lower) && !lower.includes('xn--')) return lower;
  const ascii = domainToASCII(lower);
  return isPunycode(ascii) ? ascii : '';
}

/** Newer versions of Node pass invalid punycode through, in both directions. */
function isPunycode(ascii: string): boolean {
  const unicode = domainToUnicode(ascii);
  return !/(?:^|\.)xn--/.test(unicode) && domainToASCII(unicode) === ascii;
}
