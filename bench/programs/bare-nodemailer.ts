/** The reference for `deliver`: nodemailer on pooled connections, sending COUNT mails to SMTP_URL. */
import { createTransport } from 'nodemailer';

import { CONNECTIONS_PER_RELAY } from '../../src/platform/smtp/smtp-transports.js';
import { HTML, SENDER, TEXT } from '../support/environment.js';

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
    }),
  ),
);
transport.close();
