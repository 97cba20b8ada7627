import { isAscii } from 'node:buffer';

import type { RawMail } from '../../../platform/smtp/mail-content.js';
import { deliverableEmail, emailDomain, hasAsciiLocalPart } from '../../../shared/email-address.js';
import type { VisibleRecipients } from '../../../shared/mail-recipients.js';
import { nextTurn, TimeSlice } from '../../../shared/time-slice.js';
import type { MailContent } from '../application/ports/message-provider.js';
import { PermanentDeliveryError } from '../domain/delivery-error.js';
import { deriveText } from '../domain/derive-text.js';
import { buildMail } from './build-mail.js';
import { customHeader, headerLine, mailbox, unstructuredText } from './mail-headers.js';

/** Longer lines are folded (RFC 5322 §2.1.1). White space inside a List-* URL is ignored (RFC 2369 §2). */
const MAX_LINE = 900;
const LINE = new RegExp(`.{${MAX_LINE}}(?=.)`, 'g');
/** Characters that are composed within a few milliseconds. A mail with more of them waits for its turn. */
const SLICE = 32_768;

/**
 * Builds the MIME form of a message. It is the same for every provider and every attempt: the Message-ID and the
 * boundaries derive from our id. A missing text part is derived from the HTML. Every line ends in CRLF: mail servers
 * change other line ends, such as a bare CR, which breaks the signature. Throws PermanentDeliveryError for a Reply-To
 * that needs SMTPUTF8, which earlier versions accepted.
 */
export async function composeEmail(
  message: MailContent,
  providerHeaders: Record<string, string> = {},
): Promise<RawMail> {
  if (message.source) return composeSource(message, message.source, providerHeaders);
  const { html, text, replyTo, attachments = [] } = message;
  if (replyTo !== null && !hasAsciiLocalPart(replyTo))
    throw new PermanentDeliveryError('replyTo has non-ASCII characters before the @, which mail servers may refuse');
  const headers = [
    ...addressHeaders(message),
    ...(replyTo === null
      ? []
      : [headerLine('Reply-To', mailbox(deliverableEmail(replyTo), message.visible?.replyToName))]),
    ...(message.subject ? [headerLine('Subject', unstructuredText(message.subject))] : []),
    ...Object.entries(message.headers ?? {}).map(([name, value]) => customHeader(name, value)),
    ...serviceHeaders(message, providerHeaders),
  ];
  if ((html?.length ?? 0) + (text?.length ?? 0) > SLICE) await nextTurn();
  const plain = text ?? (await deriveText(html ?? ''));
  const slice = new TimeSlice();
  const body = {
    text: await withCrlf(plain, slice),
    html: html === null ? null : await withCrlf(html, slice),
    attachments,
  };
  const [raw, ...rest] = await buildMail(headers, body, message.id, slice);
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

/** To and, if there are any, Cc. A group syntax stands for recipients who were erased (RFC 5322 §3.4). */
function visibleRecipients({ recipient, visible }: MailContent): string[] {
  const { to, cc } = visible ?? { to: [{ email: recipient, name: '' }], cc: [] };
  const list = (shown: VisibleRecipients['to']) =>
    shown.map(({ email, name }) => mailbox(deliverableEmail(email), name)).join(', ');
  return [
    headerLine('To', to.length > 0 ? list(to) : 'undisclosed-recipients:;'),
    ...(cc.length > 0 ? [headerLine('Cc', list(cc))] : []),
  ];
}

async function withCrlf(text: string, slice: TimeSlice): Promise<string> {
  let lines = '';
  for (let start = 0, end; start < text.length; start = end) {
    if (slice.isOver) await slice.next();
    end = start + SLICE;
    if (text.startsWith('\r\n', end - 1)) end += 1;
    lines += text.slice(start, end).replace(/\r\n|\r|\n/g, '\r\n');
  }
  return lines;
}

const CR = 0x0d;
const HAS_DATE = /^date:/im;
/** With the line end of the last one. A mail without headers begins with the empty line. */
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

/** Those of the provider are neither folded nor encoded: providers do not decode JSON in encoded words. */
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
