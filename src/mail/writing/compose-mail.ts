import { isAscii } from 'node:buffer';

import type { RawMail } from './mail-content.js';
import { deliverableEmail, emailDomain } from '../../shared/email-address.js';
import type { VisibleRecipients } from '../../shared/mail-recipients.js';
import { deriveText } from './derive-text.js';
import { type AttachedFile, buildMail } from './build-mail.js';
import { customHeader, headerLine, mailbox, unstructuredText } from './mail-headers.js';

/** The parts from which a mail is composed. */
export interface MailContent {
  /** The Message-ID and the boundaries derive from it. */
  id: string;
  sender: string;
  senderName: string | null;
  recipient: string;
  replyTo: string | null;
  subject: string | null;
  html: string | null;
  text: string | null;
  headers?: Readonly<Record<string, string>> | null;
  unsubscribeUrl: string | null;
  acceptedAt: Date;
  /** Null for a message that shows its own recipient. */
  visible?: VisibleRecipients | null;
  attachments?: readonly AttachedFile[];
  /** The mail as submitted, in pieces that end with a line; the first one has all headers. Replaces the above. */
  source?: readonly Buffer[];
}

/** Longer lines are folded (RFC 5322 §2.1.1). White space inside a List-* URL is ignored (RFC 2369 §2). */
const MAX_LINE = 900;
const LINE = new RegExp(`.{${MAX_LINE}}(?=.)`, 'g');

/**
 * Builds the MIME form of a message. It is the same for every provider and every attempt: the Message-ID and the
 * boundaries derive from its id. A missing text part is derived from the HTML. Every line ends in CRLF: mail servers
 * change other line ends, such as a bare CR, which breaks the signature. The local part of `replyTo` must be ASCII.
 */
export function composeMail(message: MailContent, providerHeaders: Record<string, string> = {}): RawMail {
  if (message.source) return composeSource(message, message.source, providerHeaders);
  const { html, text, replyTo, attachments = [] } = message;
  const headers = [
    ...addressHeaders(message),
    ...(replyTo === null
      ? []
      : [headerLine('Reply-To', mailbox(deliverableEmail(replyTo), message.visible?.replyToName))]),
    ...(message.subject ? [headerLine('Subject', unstructuredText(message.subject))] : []),
    ...Object.entries(message.headers ?? {}).map(([name, value]) => customHeader(name, value)),
    ...serviceHeaders(message, providerHeaders),
  ];
  const body = {
    text: withCrlf(text ?? deriveText(html ?? '')),
    html: html === null ? null : withCrlf(html),
    attachments,
  };
  const [raw, ...rest] = buildMail(headers, body, message.id);
  if (attachments.length === 0) return { ...envelopeOf(message), raw };
  return { ...envelopeOf(message), raw, rest, encoded: new Set(attachments.flatMap(({ encoded }) => encoded)) };
}

const messageIdOf = ({ id, sender }: MailContent): string => `${id}@${emailDomain(sender)}`;

const envelopeOf = (message: MailContent) => ({
  from: deliverableEmail(message.sender),
  to: deliverableEmail(message.recipient),
  messageId: messageIdOf(message),
});

const addressHeaders = (message: MailContent): string[] => [
  headerLine('From', mailbox(deliverableEmail(message.sender), message.senderName ?? '')),
  ...visibleRecipients(message),
];

/** The headers To and, if there are any, Cc. A group syntax replaces recipients who were erased (RFC 5322 §3.4). */
function visibleRecipients({ recipient, visible }: MailContent): string[] {
  const { to, cc } = visible ?? { to: [{ email: recipient, name: '' }], cc: [] };
  const list = (shown: VisibleRecipients['to']) =>
    shown.map(({ email, name }) => mailbox(deliverableEmail(email), name)).join(', ');
  return [
    headerLine('To', to.length > 0 ? list(to) : 'undisclosed-recipients:;'),
    ...(cc.length > 0 ? [headerLine('Cc', list(cc))] : []),
  ];
}

const withCrlf = (text: string): string => text.replace(/\r\n|\r|\n/g, '\r\n');

const CR = 0x0d;
const HAS_DATE = /^date:/im;
/** The header section with the line end of the last field. A mail without headers begins with the empty line. */
const headersOf = (mail: Buffer): string =>
  mail[0] === CR ? '' : mail.toString('latin1', 0, mail.indexOf('\r\n\r\n') + 2);

/**
 * A mail that is sent as it was submitted, below the headers that the service sets. `source` has none of these, except
 * perhaps Date.
 */
function composeSource(
  message: MailContent,
  [beginning = Buffer.alloc(0), ...rest]: readonly Buffer[],
  providerHeaders: Record<string, string>,
): RawMail {
  const headers = [
    ...addressHeaders(message),
    ...serviceHeaders(message, providerHeaders, HAS_DATE.test(headersOf(beginning))),
  ];
  const raw = Buffer.concat([Buffer.from(headers.map((line) => `${line}\r\n`).join('')), beginning]);
  const is8Bit = ![raw, ...rest].every((part) => isAscii(part));
  return { ...envelopeOf(message), raw, rest, is8Bit };
}

/** The provider's headers are neither folded nor encoded: providers do not decode JSON in encoded words. */
const serviceHeaders = (message: MailContent, ofProvider: Record<string, string>, hasDate = false): string[] => [
  `Message-ID: <${messageIdOf(message)}>`,
  ...(hasDate ? [] : [`Date: ${message.acceptedAt.toUTCString().replace('GMT', '+0000')}`]),
  ...Object.entries(ofProvider).map(([name, value]) => `${name}: ${value}`),
  ...(message.unsubscribeUrl === null ? [] : unsubscribeHeaders(message.unsubscribeUrl)),
];

/** Lets a mail client unsubscribe with one POST to the URL (RFC 8058). */
const unsubscribeHeaders = (url: string): string[] => [
  `List-Unsubscribe: <${url.length > MAX_LINE ? url.replace(LINE, '$&\r\n ') : url}>`,
  'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
];
