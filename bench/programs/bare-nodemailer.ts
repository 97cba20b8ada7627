/**
 * The reference for `deliver`: nodemailer on pooled connections, sending COUNT mails to SMTP_URL, each with an
 * attachment of ATTACHMENT_BYTES if that is set.
 */
import { createTransport } from 'nodemailer';

import { CONNECTIONS_PER_RELAY } from '../../src/config/limits.js';
import { attachmentOf, HTML, SENDER, TEXT } from '../support/environment.js';

const attachmentBytes = Number(process.env.ATTACHMENT_BYTES ?? 0);
const attachments = attachmentBytes === 0 ? [] : [{ filename: 'invoice.pdf', content: attachmentOf(attachmentBytes) }];
const { hostname, port } = new URL(process.env.SMTP_URL ?? '');
const transport = createTransport({
  pool: true,
  host: hostname,
  port: Number(port),
  maxConnections: CONNECTIONS_PER_RELAY,
  maxMessages: Infinity,
});
await Promise.all(
  Array.from({ length: Number(process.env.COUNT) }, (_, i) =>
    transport.sendMail({
      from: SENDER,
      to: `r${i}@example.net`,
      subject: 'Your order',
      html: HTML,
      text: TEXT,
      attachments,
    }),
  ),
);
transport.close();
