/**
 * CLIENTS for each of the SECRETS that submit mails with a file of BYTES to PORT at the same time, in ROUNDS. Every
 * other one is signed, so that it is sent as it came. Reports when all are accepted.
 */
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';

import { SENDER } from '../support/environment.js';
import { SmtpSession } from '../support/smtp-session.js';

const { PORT, SECRETS = '', CLIENTS, ROUNDS, BYTES } = process.env;
const content = randomBytes(Number(BYTES)).toString('base64').replace(/.{76}/g, '$&\r\n');

const mailOf = (subtype: string): string =>
  [
    `From: ${SENDER}\r\nTo: r@example.net\r\nSubject: Your order\r\nMIME-Version: 1.0`,
    `Content-Type: multipart/${subtype}; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSee attachment`,
    '--b\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n',
    `${content}\r\n--b--\r\n.\r\n`,
  ].join('\r\n');
const mails = ['mixed', 'signed'].map(mailOf);

const secrets = SECRETS.split(',').flatMap((secret) => Array.from({ length: Number(CLIENTS) }, () => secret));
const sessions = await Promise.all(
  secrets.map(async (secret) => {
    const session = new SmtpSession(connect({ host: '127.0.0.1', port: Number(PORT) }));
    await session.logIn(secret);
    return session;
  }),
);
for (let round = 0; round < Number(ROUNDS); round++)
  await Promise.all(sessions.map((session, i) => session.submit('r@example.net', mails[i % mails.length] ?? '')));
process.send?.('done', () => process.exit(0));
