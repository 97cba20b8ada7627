import addressparser from 'nodemailer/lib/addressparser';
import { buildHeaderValue, encodeWord, foldLines, parseHeaderValue } from 'nodemailer/lib/mime-funcs';

import { deliverableEmail, hasAsciiLocalPart } from '../../../../shared/email-address.js';
import { needsSmtpUtf8 } from '../refusal.js';
import { decodeWords } from './encoded-words.js';
import type { HeaderField } from './header-fields.js';

const LINE_LENGTH = 76;
const ENCODED_WORD_LENGTH = 52;
const NON_ASCII = /[^\0-\x7f]/;
const WITH_ADDRESSES =
  /^(?:reply-to|errors-to|disposition-notification-to|return-receipt-to|mail-(?:reply|followup)-to)$/;
const WITH_PARAMETERS = /^content-(?:type|disposition)$/;

/**
 * The field, without its last line end, in ASCII: other characters need SMTPUTF8 on every relay on the way (RFC 6531
 * §3.4). Throws a Refusal if they are in an address.
 */
export function asciiField({ name, value, text }: HeaderField): string {
  const colon = text.indexOf(':');
  const shownName = text.slice(0, colon).trimEnd();
  if (!NON_ASCII.test(text)) return `${shownName}${text.slice(colon)}`;
  return foldLines(`${shownName}: ${asciiValue(name, value)}`, LINE_LENGTH);
}

function asciiValue(name: string, value: string): string {
  if (WITH_PARAMETERS.test(name)) return buildHeaderValue(parseHeaderValue(value, { stripComments: true }));
  return WITH_ADDRESSES.test(name) ? asciiAddresses(name, value) : encode(value);
}

function asciiAddresses(header: string, value: string): string {
  const mailboxes = addressparser(value, { flatten: true }).map(({ name, address }) => {
    const ascii = deliverableEmail(address);
    if (NON_ASCII.test(ascii) || !hasAsciiLocalPart(ascii)) throw needsSmtpUtf8(`the header ${header}`);
    return name === '' ? ascii : `${encode(name)} <${ascii}>`;
  });
  return mailboxes.join(', ');
}

/** Encoded words that the field has already are encoded again, in one charset with the rest. */
const encode = (text: string): string => encodeWord(decodeWords(text) ?? text, 'Q', ENCODED_WORD_LENGTH);
