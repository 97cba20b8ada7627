import addressparser from 'nodemailer/lib/addressparser';

import { isEmailAddress, normaliseEmail } from '../../../shared/email-address.js';
import type { MessageRole, VisibleRecipient, VisibleRecipients } from '../../../shared/mail-recipients.js';
import { isSingleLine } from '../../../shared/text.js';
import { decodeWords } from './mime/encoded-words.js';
import { type HeaderField, valuesOf } from './mime/header-fields.js';

/** They are stored with each message. */
const MAX_VISIBLE = 200;

/** The addresses of a header, groups included; null if one of them, or its name, cannot be read. */
export function readAddresses(value: string): VisibleRecipient[] | null {
  const mailboxes = addressparser(value, { flatten: true }).map(({ name, address }) => {
    const decoded = decodeWords(name);
    return decoded !== null && isSingleLine(decoded) && isEmailAddress(address)
      ? { email: address, name: decoded }
      : null;
  });
  const readable = mailboxes.filter((mailbox) => mailbox !== null);
  return readable.length === mailboxes.length ? readable : null;
}

/** Those that can be read, whatever the others are. */
const readableAddresses = (fields: readonly HeaderField[], name: string): VisibleRecipient[] =>
  valuesOf(fields, name)
    .flatMap((value) => addressparser(value, { flatten: true }))
    .flatMap(({ address, name: display }) => (isEmailAddress(address) ? [{ email: address, name: display }] : []));

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

function withReadableName({ email, name }: VisibleRecipient): VisibleRecipient {
  const decoded = decodeWords(name);
  return { email, name: decoded !== null && isSingleLine(decoded) ? decoded : '' };
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
