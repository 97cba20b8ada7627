import { Injectable } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import type { default as SMTPPool, SMTPPoolOptions, SMTPPoolSentMessageInfo } from 'nodemailer/lib/smtp-pool';
import type { default as Mailer } from 'nodemailer/lib/mailer';

import {
  CONNECTIONS_PER_RELAY,
  MAX_RELAYS,
  MESSAGES_PER_CONNECTION,
  RELAY_CONNECT_TIMEOUT_MS,
  RELAY_IDLE_TIMEOUT_MS,
  RELAY_SILENCE_TIMEOUT_MS,
} from '../../config/limits.js';
import type { SmtpRelay } from '../../shared/smtp-relay.js';
import { ClientsBySettings } from '../clients-by-settings.js';
import { connectToRelay, type RelaySocket } from './connect-to-relay.js';
import { RelayConnection } from './relay-connection.js';
import { RelayConnections } from './relay-connections.js';

/** The limit of a reply in octets, enough for a long reply to EHLO. */
const MAX_RESPONSE_SIZE = 65_536;

export type SmtpTransport = Mailer<SMTPPoolSentMessageInfo, SMTPPoolOptions>;

/** Pooled connections to each relay in use. */
@Injectable()
export class SmtpTransports extends ClientsBySettings<SmtpRelay, SmtpTransport> {
  /** Connections for composed mail. nodemailer's pool has an internal queue, in which a check would become stale. */
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

  /** Connects to the relay and logs in; throws what nodemailer throws. */
  async verify(relay: SmtpRelay): Promise<void> {
    (await RelayConnection.open(poolOf(this.get(relay)))).close();
  }

  /** The connections of this process to the relay. */
  connectionsTo(relay: SmtpRelay): RelayConnections {
    const transport = this.get(relay);
    const connections = this.connections.get(transport) ?? new RelayConnections(poolOf(transport));
    this.connections.set(transport, connections);
    return connections;
  }
}

/** Expresses that `pool: true` creates a pool, which the types of nodemailer do not. */
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
      connectToRelay(relay, { timeoutMs: RELAY_CONNECT_TIMEOUT_MS }).then(
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
    connectionTimeout: RELAY_CONNECT_TIMEOUT_MS,
    greetingTimeout: RELAY_CONNECT_TIMEOUT_MS,
    dnsTimeout: RELAY_CONNECT_TIMEOUT_MS,
    socketTimeout: RELAY_SILENCE_TIMEOUT_MS,
    idleTimeout: RELAY_IDLE_TIMEOUT_MS,
    maxResponseSize: MAX_RESPONSE_SIZE,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
};
