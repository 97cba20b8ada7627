import { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import type { default as SMTPPool, SMTPPoolOptions, SMTPPoolSentMessageInfo } from 'nodemailer/lib/smtp-pool';
import type { default as Mailer } from 'nodemailer/lib/mailer';

import type { RawMail } from './raw-mail.js';
import type { SmtpRelay } from '../../shared/smtp-relay.js';
import { hasAsciiLocalPart } from '../../shared/email-address.js';
import { KeyedLimit } from '../../shared/keyed-limit.js';
import { ClientsBySettings } from '../clients-by-settings.js';
import { submitInternationalised } from './submit-internationalised.js';

/** Connections that a process opens to one relay. */
export const CONNECTIONS_PER_RELAY = 10;
/** Further ones, each for one mail to or from an address that needs SMTPUTF8. */
const SMTPUTF8_CONNECTIONS_PER_RELAY = 2;
const MESSAGES_PER_CONNECTION = 1_000;
const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 60_000;
const IDLE_TIMEOUT_MS = 30_000;
const MAX_RELAYS = 500;

export type SmtpTransport = Mailer<SMTPPoolSentMessageInfo, SMTPPoolOptions>;

/** Pooled connections to each relay in use. */
@Injectable()
export class SmtpTransports extends ClientsBySettings<SmtpRelay, SmtpTransport> {
  private readonly internationalised = new KeyedLimit(SMTPUTF8_CONNECTIONS_PER_RELAY);

  constructor() {
    super({
      open,
      close: (transport) => {
        transport.close();
      },
      max: MAX_RELAYS,
    });
  }

  /**
   * Sends a mail that is composed already and resolves to the relay's answer. It goes to the pool as it is, in one
   * write: `sendMail` would take it apart and write it piece by piece, which costs a third more. Rejects with
   * SmtpUtf8MissingError where an address needs that extension and the relay does not offer it.
   */
  handOver(relay: SmtpRelay, mail: RawMail): Promise<string> {
    const { transporter: pool } = this.of(relay);
    if (!hasAsciiLocalPart(mail.from) || !hasAsciiLocalPart(mail.to)) {
      const key = `${relay.host}:${relay.port}`;
      return this.internationalised.run(key, () => submitInternationalised(pool as SMTPPool, mail));
    }
    return new Promise((resolve, reject) => {
      pool.send(toPoolMessage(mail), (error, info) => {
        if (error) reject(error);
        else resolve(info?.response ?? '');
      });
    });
  }
}

/**
 * `maxRequeues: 1`: a kept connection that the relay has closed meanwhile is replaced once. The pool does so only while
 * no byte of the message is out; whatever may have gone out is for the caller to decide on and to record.
 */
const open = ({ host, port, secure, username, password }: SmtpRelay): SmtpTransport =>
  createTransport({
    pool: true,
    host,
    port,
    secure,
    ...(username === null ? {} : { auth: { user: username, pass: password ?? '' } }),
    maxConnections: CONNECTIONS_PER_RELAY,
    maxMessages: MESSAGES_PER_CONNECTION,
    maxRequeues: 1,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    idleTimeout: IDLE_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

type PoolMessage = Parameters<SmtpTransport['transporter']['send']>[0];

/** What a transport looks at in a message, by nodemailer's documentation of transport plugins. */
const toPoolMessage = ({ from, to, messageId, raw }: RawMail): PoolMessage =>
  ({
    data: {},
    message: {
      getEnvelope: () => ({ from, to: [to] }),
      messageId: () => messageId,
      getHeader: () => messageId,
      createReadStream: () => Readable.from([raw]),
    },
  }) as unknown as PoolMessage;
