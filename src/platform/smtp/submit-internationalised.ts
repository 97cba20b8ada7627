import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type SMTPPool from 'nodemailer/lib/smtp-pool';

import type { RawMail } from './raw-mail.js';

/** RFC 6531: without it an address with other than ASCII characters before the @ must not be sent to the relay. */
export class SmtpUtf8MissingError extends Error {
  override name = 'SmtpUtf8MissingError';

  constructor() {
    super('The relay does not offer SMTPUTF8, which an address with non-ASCII characters before the @ needs');
  }
}

/**
 * Sends one mail over a connection of its own, opened as the pool opens its connections, whose offers are known before a
 * command names the address: the pool names it whether or not the relay offers SMTPUTF8. Resolves to the relay's answer.
 */
export async function submitInternationalised(pool: SMTPPool, { from, to, raw }: RawMail): Promise<string> {
  const connection = new SMTPConnection(await optionsOf(pool));
  try {
    await connect(connection);
    if (!/^250[ -]SMTPUTF8\b/im.test(connection.lastServerResponse || '')) throw new SmtpUtf8MissingError();
    const { user, pass } = pool.options.auth ?? {};
    if (user && connection.allowsAuth) {
      await settled((done) => {
        connection.login({ credentials: { user, pass } }, done);
      });
    }
    const { response } = await settled<{ response: string }>((done) => {
      connection.send({ from, to: [to] }, raw, done);
    });
    connection.quit();
    return response;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** With the socket that the pool would use, where it opens one itself. */
async function optionsOf(pool: SMTPPool) {
  const socket = await settled<object | false>((done) => {
    pool.getSocket(pool.options, done);
  });
  return { ...pool.options, ...(socket || {}) };
}

/** A failure before the answer to EHLO is an event; later ones reach the callback of what is under way as well. */
function connect(connection: SMTPConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.on('error', reject);
    connection.on('end', () => {
      reject(Object.assign(new Error('Connection closed'), { code: 'ECONNECTION' }));
    });
    connection.connect((error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

function settled<T>(begin: (done: (error: Error | null | undefined, result?: unknown) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    begin((error, result) => {
      if (error) reject(error);
      else resolve(result as T);
    });
  });
}
