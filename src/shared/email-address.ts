import { domainToASCII } from 'node:url';

/**
 * The form in which addresses are compared: trimmed, lower-cased, domain in punycode.
 * Text that is no address comes back trimmed and lower-cased.
 */
export function normaliseEmail(email: string): string {
  const { local, domain } = splitEmail(email.trim());
  return domain === '' ? local.toLowerCase() : `${local.toLowerCase()}@${asciiDomain(domain)}`;
}

/** The address as a mail server takes it: the local part as given, the domain in punycode. */
export function deliverableEmail(email: string): string {
  const { local, domain } = splitEmail(email.trim());
  return `${local}@${asciiDomain(domain)}`;
}

export const emailDomain = (email: string): string => asciiDomain(splitEmail(email.trim()).domain);

const LOCAL_PART = /^[^\s@<>()[\]\\,;:"\p{Cc}]+$/u;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether mail can be sent to it: the unquoted form of RFC 5321 §4.1.2 with a dotted domain, internationalised or not. */
export function isEmailAddress(text: string): boolean {
  const { local, domain } = splitEmail(text.trim());
  if (!LOCAL_PART.test(local) || /^\.|\.\.|\.$/.test(local) || Buffer.byteLength(local) > 64) return false;
  const labels = asciiDomain(domain).split('.');
  const ascii = labels.join('.');
  return (
    labels.length > 1 &&
    ascii.length <= 253 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
}

function splitEmail(email: string): { local: string; domain: string } {
  const at = email.lastIndexOf('@');
  return at < 0 ? { local: email, domain: '' } : { local: email.slice(0, at), domain: email.slice(at + 1) };
}

/** Empty for a domain that IDNA does not allow. */
function asciiDomain(domain: string): string {
  const lower = domain.toLowerCase();
  return /^[a-z0-9.-]*$/.test(lower) && !lower.includes('xn--') ? lower : domainToASCII(lower);
}
