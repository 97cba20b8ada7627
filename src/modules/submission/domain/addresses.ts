import addressparser from 'nodemailer/lib/addressparser';

import { hasAsciiLocalPart, isEmailAddress, normaliseEmail } from '../../../shared/email-address.js';
import type { MessageRole, VisibleRecipient, VisibleRecipients } from '../../../shared/mail-recipients.js';
import { isSingleLine } from '../../../shared/text.js';
import { decodeWords } from './mime/encoded-words.js';
import { type HeaderField, valuesOf } from './mime/header-fields.js';
import { needsSmtpUtf8 } from './refusal.js';

/** They are stored with each message. */
const MAX_VISIBLE = 200;

/** The addresses of a header, groups included; null if one of them, or its name, cannot be read. */
export function readAddresses(value: string): VisibleRecipient[] | null {
  const mailboxes = addressparser(value, { flatten: true }).map(({ name, address }) => {
    const readable = readableName(name);
    return readable !== null && isEmailAddress(address) ? { email: address, name: readable } : null;
  });
  const readable = mailboxes.filter((mailbox) => mailbox !== null);
  return readable.length === mailboxes.length ? readable : null;
}

/** As a header has them, valid or not, with names that are not decoded. */
export const mailboxesOf = (fields: readonly HeaderField[], header: string): VisibleRecipient[] =>
  valuesOf(fields, header)
    .flatMap((value) => addressparser(value, { flatten: true }))
    .map(({ address, name }) => ({ email: address, name }));

/** Those that can be read, whatever the others are. */
const readableAddresses = (fields: readonly HeaderField[], header: string): VisibleRecipient[] =>
  mailboxesOf(fields, header).filter(({ email }) => isEmailAddress(email));

/** To and Cc as they are shown; null if the mail has others than such as the service composes. */
export function visibleRecipientsOf(fields: readonly HeaderField[]): VisibleRecipients | null {
  const list = (name: string) => readAddresses(valuesOf(fields, name).join(', '));
  const [to, cc] = [list('to'), list('cc')];
  return to && cc && to.length + cc.length <= MAX_VISIBLE ? { to, cc } : null;
}

/** As many of To and Cc as can be read and stored, for a mail that shows others too. */
export function readableRecipientsOf(fields: readonly HeaderField[]): VisibleRecipients {
  const list = (name: string, atMost: number) => readableAddresses(fields, name).slice(0, atMost).map(withReadableName);
  const to = list('to', MAX_VISIBLE);
  return { to, cc: list('cc', MAX_VISIBLE - to.length) };
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

/** Null if Reply-To is missing or empty, undefined if it cannot be composed again. */
export function replyToOf(fields: readonly HeaderField[]): VisibleRecipient | null | undefined {
  const value = valuesOf(fields, 'reply-to')[0] ?? '';
  if (value === '') return null;
  const [address, ...others] = readAddresses(value) ?? [];
  return address && others.length === 0 && hasAsciiLocalPart(address.email) ? address : undefined;
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

/** The recipients of the envelope, each once, in the order of their roles: in To, in Cc, in neither. */
export function withRoles(recipients: readonly string[], fields: readonly HeaderField[]): EnvelopeRecipient[] {
  const inHeader = (name: string) => new Set(readableAddresses(fields, name).map(({ email }) => normaliseEmail(email)));
  const [to, cc] = [inHeader('to'), inHeader('cc')];
  const unique = new Map(recipients.map((email) => [normaliseEmail(email), email.trim()]));
  const all = [...unique].map(([normalised, email]) => {
    const role = to.has(normalised) ? 'to' : cc.has(normalised) ? 'cc' : 'bcc';
    return { role, email, normalised } as const;
  });
  return (['to', 'cc', 'bcc'] as const).flatMap((wanted) => all.filter(({ role }) => role === wanted));
}
