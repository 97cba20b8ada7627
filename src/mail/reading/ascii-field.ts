import addressparser from 'nodemailer/lib/addressparser';
import { buildHeaderValue, encodeWord, foldLines, parseHeaderValue } from 'nodemailer/lib/mime-funcs';

import { deliverableEmail, hasAsciiLocalPart } from '../../shared/email-address.js';
import { needsSmtpUtf8 } from './refusal.js';
import { decodeWords, splitWords } from './encoded-words.js';
import type { HeaderField } from './header-fields.js';

const LINE_LENGTH = 76;
const ENCODED_WORD_LENGTH = 52;
export const NON_ASCII = /[^\0-\x7f]/;
const WITH_ADDRESSES =
  /^(?:reply-to|errors-to|list-id|disposition-notification-to|return-receipt-to|mail-(?:reply|followup)-to)$/;
const WITH_PARAMETERS = /^content-(?:type|disposition)$/;

/** Whether the header consists of addresses. From, To and Cc, which the service composes, are not among them. */
export const hasAddresses = (name: string): boolean => WITH_ADDRESSES.test(name);

/**
 * Returns the field without its last line end, in ASCII: other characters need SMTPUTF8 on every relay on the way (RFC
 * 6531 §3.4). Throws a Refusal if they are in an address.
 */
export function asciiField({ name, value, text }: HeaderField): string {
  const colon = text.indexOf(':');
  const shownName = text.slice(0, colon).trimEnd();
  if (!NON_ASCII.test(text)) return `${shownName}${text.slice(colon)}`;
  return foldLines(`${shownName}: ${asciiValue(name, value)}`, LINE_LENGTH);
}

function asciiValue(name: string, value: string): string {
  if (WITH_PARAMETERS.test(name)) return buildHeaderValue(parseHeaderValue(value, { stripComments: true }));
  return hasAddresses(name) ? asciiAddresses(name, value) : encode(value);
}

/** Encodes the names. Throws a Refusal if there are other characters than ASCII in an address. */
export function asciiAddresses(header: string, value: string): string {
  const mailboxes = addressparser(value, { flatten: true }).map(({ name, address }) => {
    if (address === '') return encode(name);
    const ascii = deliverableEmail(address);
    if (NON_ASCII.test(ascii) || !hasAsciiLocalPart(ascii)) throw needsSmtpUtf8(`the header ${header}`);
    return name === '' ? ascii : `${encode(name)} <${ascii}>`;
  });
  return mailboxes.join(', ');
}

/** Encoded words that the field has already are encoded again, in one charset with the rest, or kept. */
function encode(text: string): string {
  const decoded = decodeWords(text);
  if (decoded !== null) return encodeWord(decoded, 'Q', ENCODED_WORD_LENGTH);
  return splitWords(text)
    .map((part) => (NON_ASCII.test(part) ? encodeWord(part, 'Q', ENCODED_WORD_LENGTH) : part.trim()))
    .join(' ');
}
