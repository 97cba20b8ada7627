import addressparser from 'nodemailer/lib/addressparser';

import { hasAsciiLocalPart, isEmailAddress, normaliseEmail } from '../../shared/email-address.js';
import type { MessageRole, VisibleRecipient, VisibleRecipients } from '../../shared/mail-recipients.js';
import { foldCase, isSingleLine } from '../../shared/text.js';
import { decodeWords } from './encoded-words.js';
import { type HeaderField, valuesOf } from './header-fields.js';
import { hasAddresses } from './ascii-field.js';
import { needsSmtpUtf8, Refusal } from './refusal.js';

/** The visible recipients are stored with each message. */
const MAX_VISIBLE = 200;
/**
 * Limits the addresses of all headers together, commas in names included, because reading them blocks the event loop.
 */
const MAX_MAILBOXES = 2_000;

/** The mailboxes of a header as written, valid or not, with names that are not decoded. */
type Mailboxes = readonly VisibleRecipient[];

/** The address headers that the service composes itself. */
export type AddressHeaders = Readonly<Record<'from' | 'to' | 'cc' | 'replyTo', Mailboxes>>;

/** Parses each header once. Throws a Refusal if they have too many addresses. */
export function addressHeadersOf(fields: readonly HeaderField[]): AddressHeaders {
  const lists = fields.filter(({ name }) => /^(?:from|to|cc)$/.test(name) || hasAddresses(name));
  const addressCount = lists.reduce((sum, { value }) => sum + value.split(/[,;]/).length, 0);
  if (addressCount > MAX_MAILBOXES) throw new Refusal(554, `The headers have more than ${MAX_MAILBOXES} addresses`);
  const parse = (header: string): Mailboxes =>
    valuesOf(fields, header)
      .flatMap((value) => addressparser(value, { flatten: true }))
      .map(({ address, name }) => ({ email: address, name }));
  return { from: parse('from'), to: parse('to'), cc: parse('cc'), replyTo: parse('reply-to') };
}

/** The addresses of a header, groups included; null if one of them, or its name, cannot be read. */
function readAddresses(mailboxes: Mailboxes): VisibleRecipient[] | null {
  const readable = mailboxes.flatMap(({ email, name }) => {
    const decoded = readableName(name);
    return decoded !== null && isEmailAddress(email) ? { email, name: decoded } : [];
  });
  return readable.length === mailboxes.length ? readable : null;
}

/** To and Cc as they are shown; null if the service cannot compose the same headers again. */
export function visibleRecipientsOf(headers: AddressHeaders): VisibleRecipients | null {
  if (headers.to.length + headers.cc.length > MAX_VISIBLE) return null;
  const [to, cc] = [readAddresses(headers.to), readAddresses(headers.cc)];
  return to && cc && { to, cc };
}

/**
 * The valid addresses among the first of To and Cc, for a mail whose To and Cc cannot be composed again as they are.
 */
export function readableRecipientsOf({ to, cc }: AddressHeaders): VisibleRecipients {
  const list = (mailboxes: Mailboxes, limit: number) =>
    mailboxes
      .slice(0, limit)
      .filter(({ email }) => isEmailAddress(email))
      .map(withReadableName);
  return { to: list(to, MAX_VISIBLE), cc: list(cc, Math.max(0, MAX_VISIBLE - to.length)) };
}

const withReadableName = ({ email, name }: VisibleRecipient): VisibleRecipient => ({
  email,
  name: readableName(name) ?? '',
});

/** A display name; null if it cannot be decoded, or is not safe in a header. */
export function readableName(name: string): string | null {
  const decoded = decodeWords(name);
  return decoded !== null && isSingleLine(decoded) ? decoded : null;
}

/** Returns null if Reply-To is missing or empty, undefined if it cannot be composed again. */
export function replyToOf(
  fields: readonly HeaderField[],
  { replyTo }: AddressHeaders,
): VisibleRecipient | null | undefined {
  const values = valuesOf(fields, 'reply-to').filter((value) => value !== '');
  if (values.length === 0) return null;
  const [address] = (replyTo.length === 1 && readAddresses(replyTo)) || [];
  return address && values.length === 1 && hasAsciiLocalPart(address.email) ? address : undefined;
}

/**
 * A header with an address that has non-ASCII characters before the @ needs SMTPUTF8 (RFC 6531 §3.4), which is used
 * only for recipients with such an address. Throws a Refusal if others would get it, too.
 */
export function requireDeliverable({ to, cc }: VisibleRecipients, recipients: readonly EnvelopeRecipient[]): void {
  if ([...to, ...cc, ...recipients].every(({ email }) => hasAsciiLocalPart(email))) return;
  if (recipients.some(({ email }) => hasAsciiLocalPart(email))) throw needsSmtpUtf8('an address of To or Cc');
}

export interface EnvelopeRecipient {
  role: MessageRole;
  email: string;
  normalised: string;
}

/** The envelope recipients of a mail, and the addresses in its headers. */
export interface Addressing {
  envelope: readonly EnvelopeRecipient[];
  headers: AddressHeaders;
}

/** The recipients of the envelope, each once, in the order of their roles: in To, in Cc, in neither. */
export function withRoles(recipients: readonly string[], headers: AddressHeaders): EnvelopeRecipient[] {
  const unique = new Map(recipients.map((email) => [normaliseEmail(email), email.trim()]));
  const localParts = new Set([...unique.keys()].map(localPartOf));
  const [to, cc] = [namedIn(headers.to, localParts), namedIn(headers.cc, localParts)];
  const all = [...unique].map(([normalised, email]) => {
    const role = to.has(normalised) ? 'to' : cc.has(normalised) ? 'cc' : 'bcc';
    return { role, email, normalised } as const;
  });
  return (['to', 'cc', 'bcc'] as const).flatMap((wanted) => all.filter(({ role }) => role === wanted));
}

/** The addresses with one of the local parts, normalised. Only these, because it takes long for non-ASCII domains. */
function namedIn(mailboxes: Mailboxes, localParts: ReadonlySet<string>): Set<string> {
  const named = new Set<string>();
  for (const { email } of mailboxes) {
    if (localParts.has(foldCase(localPartOf(email.trim())))) named.add(normaliseEmail(email));
  }
  return named;
}

const localPartOf = (email: string): string => email.slice(0, Math.max(0, email.lastIndexOf('@')));
