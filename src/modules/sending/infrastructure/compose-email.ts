import { isAscii } from 'node:buffer';

import MailComposer from 'nodemailer/lib/mail-composer';

import type { RawMail } from '../../../platform/smtp/relay-connection.js';
import { deliverableEmail, emailDomain, hasAsciiLocalPart } from '../../../shared/email-address.js';
import type { VisibleRecipients } from '../../../shared/mail-recipients.js';
import type { MailContent, OutgoingAttachment } from '../application/ports/message-provider.js';
import { PermanentDeliveryError } from '../domain/delivery-error.js';
import { deriveText } from '../domain/derive-text.js';
import { buildMail, buildMailParts, EncodedContent } from './build-mail.js';
import { customHeader, headerLine, mailbox, unstructuredText } from './mail-headers.js';

/** Longer lines are folded (RFC 5322 §2.1.1). White space inside a List-* URL is ignored (RFC 2369 §2). */
const MAX_LINE = 900;
const LINE = new RegExp(`.{${MAX_LINE}}(?=.)`, 'g');

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
  const { html, text, replyTo, unsubscribeUrl, attachments = [] } = message;
  const from = deliverableEmail(message.sender);
  const to = deliverableEmail(message.recipient);
  if (replyTo !== null && !hasAsciiLocalPart(replyTo))
    throw new PermanentDeliveryError('replyTo has non-ASCII characters before the @, which mail servers may refuse');
  const messageId = `${message.id}@${emailDomain(message.sender)}`;
  const composer = new MailComposer({
    messageId: `<${messageId}>`,
    baseBoundary: message.id,
    date: message.acceptedAt,
    text: withCrlf(text ?? (await deriveText(html ?? ''))),
    ...(html === null ? {} : { html: withCrlf(html) }),
    headers: { ...verbatim(providerHeaders), ...(unsubscribeUrl === null ? {} : unsubscribeHeaders(unsubscribeUrl)) },
    ...(attachments.length === 0 ? {} : { attachments: attachments.map(toPart) }),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const headers = [
    headerLine('From', mailbox(from, message.senderName ?? '')),
    ...visibleRecipients(message),
    ...(replyTo === null
      ? []
      : [headerLine('Reply-To', mailbox(deliverableEmail(replyTo), message.visible?.replyToName))]),
    ...(message.subject ? [headerLine('Subject', unstructuredText(message.subject))] : []),
  ];
  headers.push(...Object.entries(message.headers ?? {}).map(([name, value]) => customHeader(name, value)));
  if (attachments.length === 0) return { from, to, messageId, raw: buildMail(composer.compile(), headers) };
  const [raw, ...rest] = buildMailParts(composer.compile(), headers);
  return { from, to, messageId, raw, rest, encoded: new Set(attachments.flatMap(({ encoded }) => encoded)) };
}

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

/** nodemailer builds the headers of the part, names by RFC 2231; the content is ready. */
const toPart = ({ filename, contentType, contentId, encoded }: OutgoingAttachment) => ({
  filename,
  contentType,
  contentDisposition: contentId === null ? ('attachment' as const) : ('inline' as const),
  contentTransferEncoding: 'base64' as const,
  ...(contentId === null ? {} : { cid: contentId }),
  content: new EncodedContent(encoded) as unknown as Buffer,
});

const withCrlf = (text: string): string => text.replace(/\r\n|\r|\n/g, '\r\n');

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
  const { sender, senderName, unsubscribeUrl } = message;
  const from = deliverableEmail(sender);
  const messageId = `${message.id}@${emailDomain(sender)}`;
  const unsubscribe = unsubscribeUrl === null ? [] : Object.entries(unsubscribeHeaders(unsubscribeUrl));
  const lines = [
    headerLine('From', mailbox(from, senderName ?? '')),
    ...visibleRecipients(message),
    `Message-ID: <${messageId}>`,
    ...(HAS_DATE.test(headersOf(beginning))
      ? []
      : [`Date: ${message.acceptedAt.toUTCString().replace('GMT', '+0000')}`]),
    ...Object.entries(providerHeaders).map(([name, value]) => `${name}: ${value}`),
    ...unsubscribe.map(([name, { value }]) => `${name}: ${value}`),
  ];
  const raw = Buffer.concat([Buffer.from(lines.map((line) => `${line}\r\n`).join('')), beginning]);
  const is8Bit = ![raw, ...rest].every((part) => isAscii(part));
  return { from, to: deliverableEmail(message.recipient), messageId, raw, rest, is8Bit };
}

/** `prepared` keeps JSON from becoming encoded words, which providers do not decode. */
const verbatim = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { prepared: true, value }]));

/** Lets a mail client unsubscribe with one POST to the URL (RFC 8058). */
const unsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': { prepared: true, value: `<${url.length > MAX_LINE ? url.replace(LINE, '$&\r\n ') : url}>` },
  'List-Unsubscribe-Post': { prepared: true, value: 'List-Unsubscribe=One-Click' },
});
