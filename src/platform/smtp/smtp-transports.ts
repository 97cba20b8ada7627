import { Injectable } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import type { default as SMTPPool, SMTPPoolOptions, SMTPPoolSentMessageInfo } from 'nodemailer/lib/smtp-pool';
import type { default as Mailer } from 'nodemailer/lib/mailer';

import type { RawMail } from './mail-content.js';
import type { SmtpRelay } from '../../shared/smtp-relay.js';
import type { SubmissionCheck } from '../../shared/submission-check.js';
import { ClientsBySettings } from '../clients-by-settings.js';
import { connectToRelay, type RelaySocket } from './connect-to-relay.js';
import { RelayConnections } from './relay-connections.js';

/** Per process. */
export const CONNECTIONS_PER_RELAY = 10;
const MESSAGES_PER_CONNECTION = 1_000;
const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 60_000;
const IDLE_TIMEOUT_MS = 30_000;
/** In octets, enough for a long reply to EHLO. */
const MAX_RESPONSE_SIZE = 65_536;
const MAX_RELAYS = 500;

export type SmtpTransport = Mailer<SMTPPoolSentMessageInfo, SMTPPoolOptions>;

/** Pooled connections to each relay in use. */
@Injectable()
export class SmtpTransports extends ClientsBySettings<SmtpRelay, SmtpTransport> {
  /** For composed mail. nodemailer's pool has an internal queue, in which a check would become stale. */
  private readonly connections = new WeakMap<SmtpTransport, RelayConnections>();

  constructor() {
    super({
      open,
      close: (transport) => {
        transport.close();
        this.connections.get(transport)?.close();
      },
      max: MAX_RELAYS,
    });
  }

  /**
   * Submits a composed mail and resolves to the relay's reply. The check runs when a connection is free, immediately
   * before the SMTP transaction; what it throws is thrown here. Bulk mail uses some of the connections only.
   */
  submit(relay: SmtpRelay, mail: RawMail, check?: SubmissionCheck, isBulk = false): Promise<string> {
    const transport = this.of(relay);
    const connections = this.connections.get(transport) ?? new RelayConnections(poolOf(transport));
    this.connections.set(transport, connections);
    return connections.submit(mail, check, isBulk);
  }
}

/** The types of nodemailer do not express that `pool: true` creates a pool. */
const poolOf = ({ transporter }: SmtpTransport): SMTPPool => transporter as unknown as SMTPPool;

/**
 * Opens the connection itself, so that the checked address is the one connected to.
 *
 * `maxRequeues: 1` replaces, once, an idle connection that the relay has closed. The pool does so only if no byte of
 * the message was sent; otherwise the caller decides and records what happened.
 */
const open = (relay: SmtpRelay): SmtpTransport => {
  const { host, port, secure, username, password } = relay;
  return createTransport({
    pool: true,
    host,
    port,
    secure,
    getSocket: (_options: unknown, callback: (error: Error | null, connection: RelaySocket | false) => void) => {
      connectToRelay(relay, { timeoutMs: CONNECT_TIMEOUT_MS }).then(
        (connection) => {
          callback(null, connection);
        },
        (error: unknown) => {
          callback(error as Error, false);
        },
      );
    },
    ...(username === null ? {} : { auth: { user: username, pass: password ?? '' } }),
    maxConnections: CONNECTIONS_PER_RELAY,
    maxMessages: MESSAGES_PER_CONNECTION,
    maxRequeues: 1,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    idleTimeout: IDLE_TIMEOUT_MS,
    maxResponseSize: MAX_RESPONSE_SIZE,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
};
