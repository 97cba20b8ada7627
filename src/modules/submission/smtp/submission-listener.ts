import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';

import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';

import { SMTP_CONNECTIONS_PER_NETWORK, SMTP_FINISH_WITHIN_MS } from '../../../config/limits.js';
import { Limiter } from '../../../concurrency/limiter.js';
import { Config } from '../../../config/config.js';
import { isSameAddress, isWithin, networkOf } from '../../../shared/ip-address.js';
import type { Refusal } from '../../../mail/reading/refusal.js';
import { readProxyHeader } from './proxy-header.js';
import { SubmissionReports } from './submission-reports.js';
import { SubmissionServer } from './submission-server.js';
import { SubmissionSessions } from './submission-sessions.js';
import { type KeyPair, TlsFiles } from './tls-files.js';

const ALL = 'all';
/** How long a listed proxy may take to send its header. */
const PROXY_WAIT_MS = 1_000;
const HANDSHAKE_TIMEOUT_MS = 30_000;
/** The share of the grace period that clients have to finish a mail, if that is less. */
const FINISH_SHARE = 1 / 3;
const TOO_MANY = 'Too many connections, try again later';
const OVERLOADED = 'The service is overloaded';
const NOT_AUTHENTICATED = 535;
const STOPPING = 'The service is stopping';
const NO_PROXY_HEADER = 'The proxy sends no PROXY header';
/** Programs on the same machine connect from these addresses, beside a listed proxy for HTTP. */
const LOCALHOST = ['127.0.0.1', '::1'];

type Reply = (error?: Error | null, message?: string) => void;

interface Transaction {
  done: Promise<unknown>;
  /** Ends the transaction, unless the mail has arrived. */
  abort: () => void;
}

/** Accepts the connections of SMTP clients, within limits, on the ports of the configuration. */
@Injectable()
export class SubmissionListener implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger(SubmissionListener.name);
  private readonly open: Limiter;
  private readonly openByNetwork = new Limiter({ perKey: SMTP_CONNECTIONS_PER_NETWORK });
  private readonly listeners = new Map<'starttls' | 'tls', Server>();
  private readonly servers: SubmissionServer[] = [];
  /** Sockets without a session yet: before the PROXY header, or in the TLS handshake. */
  private readonly pending = new Set<Socket>();
  private readonly transactions = new Map<SMTPServerSession, Transaction>();
  private tlsFiles: TlsFiles | undefined;
  private secureContext: SecureContext | undefined;
  private isStopping = false;
  private hasWarned = false;
  private stopped: Promise<unknown> | undefined;

  constructor(
    private readonly config: Config,
    private readonly sessions: SubmissionSessions,
    private readonly reports: SubmissionReports,
  ) {
    this.open = new Limiter({ total: config.submission?.maxConnections ?? 0 });
  }

  async onApplicationBootstrap(): Promise<void> {
    const { submission, role } = this.config;
    if (!submission || role === 'worker') return;
    const { port, tlsPort, tlsFiles } = submission;
    const keyPair = tlsFiles && (await this.readKeyPair(tlsFiles));
    if (port !== null) await this.listen('starttls', port, this.addServer(keyPair, false), 'SMTP_PORT');
    if (tlsPort !== null) await this.listen('tls', tlsPort, this.addServer(keyPair, true), 'SMTPS_PORT');
  }

  /** The port that is listened on, which differs from the configured one if that is 0. */
  portOf(kind: 'starttls' | 'tls'): number | null {
    return (this.listeners.get(kind)?.address() as AddressInfo | null | undefined)?.port ?? null;
  }

  /**
   * Clients that are sending a mail have a few seconds to finish it, and a mail that has arrived gets its reply. Begins
   * here, so that nothing else waits for slow clients before it stops.
   */
  onModuleDestroy(): void {
    this.isStopping = true;
    this.tlsFiles?.close();
    const closed = [...this.listeners.values()].map((listener) => new Promise((resolve) => listener.close(resolve)));
    for (const socket of this.pending) socket.destroy();
    for (const connection of this.servers.flatMap(({ connections }) => [...connections]))
      if (!this.transactions.has(connection.session)) connection.send(421, STOPPING);
    const timer = setTimeout(
      () => {
        for (const { abort } of this.transactions.values()) abort();
      },
      Math.min(SMTP_FINISH_WITHIN_MS, this.config.shutdownGraceMs * FINISH_SHARE),
    );
    const finished = Promise.all([...this.transactions.values()].map(({ done }) => done));
    this.stopped = Promise.all([
      finished.finally(() => {
        clearTimeout(timer);
      }),
      ...closed,
    ]);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stopped;
  }

  private async readKeyPair(paths: { cert: string; key: string }): Promise<KeyPair> {
    this.tlsFiles = new TlsFiles(paths);
    const keyPair = await this.tlsFiles.read();
    this.secureContext = secureContextOf(keyPair);
    this.tlsFiles.watch(
      (renewed) => {
        this.secureContext = secureContextOf(renewed);
        for (const server of this.servers) server.updateSecureContext({ ...renewed });
        this.logger.log('The TLS certificate for SMTP was read again');
      },
      (error) => {
        this.logger.warn(`The TLS certificate for SMTP was not read again: ${error.message}`);
      },
    );
    return keyPair;
  }

  private addServer(keyPair: KeyPair | null, isSecure: boolean): SubmissionServer {
    const server: SubmissionServer = new SubmissionServer({
      hostname: new URL(this.config.baseUrl).hostname,
      maxSize: this.sessions.maxBytes,
      ...{ isSecure, keyPair },
      allowsPlaintextAuth: this.config.submission?.allowsPlaintextAuth ?? false,
      refuseData: () => (this.isStopping ? STOPPING : this.sessions.isOverloaded ? OVERLOADED : undefined),
      onAuth: (given, session, reply) => {
        this.sessions.authenticate(given, session).then((user) => {
          reply(null, { user });
        }, reply);
      },
      onMailFrom: (_, session, reply) => {
        replyAfter(this.sessions.beginMail(session), (error) => {
          reply(error);
          // Nothing else can follow in a session whose key is not valid any more.
          if (error?.responseCode === NOT_AUTHENTICATED) server.connectionOf(session)?.close();
        });
      },
      onRcptTo: (address, session, reply) => {
        replyAfter(this.sessions.addRecipient(address, session), reply);
      },
      onData: (stream, session, reply) => {
        const done = this.takeMail(server, stream, session, reply).finally(() => {
          this.transactions.delete(session);
        });
        const abort = () => {
          if (!stream.readableEnded) server.connectionOf(session)?.send(421, STOPPING);
        };
        this.transactions.set(session, { done, abort });
      },
    });
    this.servers.push(server);
    return server;
  }

  private async takeMail(
    server: SubmissionServer,
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    reply: Reply,
  ): Promise<void> {
    const connection = server.connectionOf(session);
    const abort = () => connection?.send(421, 'The mail takes too long');
    await this.sessions.takeMail(stream, session, abort).then(
      (text) => {
        reply(null, text);
      },
      (error: unknown) => {
        reply(error as Error);
        // The rest of a mail is not read.
        if (!stream.readableEnded) connection?.close();
      },
    );
    if (this.isStopping) connection?.send(421, STOPPING);
  }

  private async listen(
    kind: 'starttls' | 'tls',
    port: number,
    server: SubmissionServer,
    variable: string,
  ): Promise<void> {
    const listener = createServer((socket) => {
      this.accept(socket, server, kind === 'tls').catch(() => {
        socket.destroy();
      });
    });
    this.listeners.set(kind, listener);
    try {
      await new Promise<void>((resolve, reject) => {
        listener.once('error', reject);
        listener.listen(port, this.config.host, resolve);
      });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      throw new Error(`Port ${port} is taken by another program; set ${variable} to a free one.`, { cause: error });
    }
  }

  private async accept(socket: Socket, server: SubmissionServer, isTls: boolean): Promise<void> {
    socket.on('error', () => undefined); // of a client that has gone
    const removed = this.open.tryAcquire(ALL);
    if (!removed) {
      this.refuse(socket, isTls, TOO_MANY);
      return;
    }
    this.reports.connected();
    this.pending.add(socket);
    socket.once('close', () => {
      removed();
      this.reports.disconnected();
      this.pending.delete(socket);
    });
    const remoteAddress = await this.addressOf(socket);
    if (remoteAddress === null) {
      this.refuse(socket, isTls, NO_PROXY_HEADER);
      return;
    }
    const removedFromNetwork = this.openByNetwork.tryAcquire(networkOf(remoteAddress));
    if (!removedFromNetwork) {
      this.refuse(socket, isTls, TOO_MANY);
      return;
    }
    if (socket.destroyed) removedFromNetwork();
    else socket.once('close', removedFromNetwork);
    const session = isTls ? await this.encrypt(socket) : socket;
    this.pending.delete(socket);
    if (!session.destroyed && !this.isStopping) server.connect(session, { remoteAddress });
    else session.destroy();
  }

  /**
   * Null for a listed proxy that sends no header: it would pass on what its clients send, which could be a forged one.
   * Only localhost may be both, a proxy and a client.
   */
  private async addressOf(socket: Socket): Promise<string | null> {
    const peer = socket.remoteAddress ?? '';
    const { trustedProxies } = this.config;
    const isProxy = trustedProxies !== 'any' && trustedProxies.some((proxy) => isWithin(proxy, peer));
    if (!isProxy) return peer;
    const client = await readProxyHeader(socket, PROXY_WAIT_MS);
    if (client !== undefined) return client ?? peer;
    if (LOCALHOST.some((address) => isSameAddress(address, peer))) return peer;
    this.warnOnce(`${peer} is listed in TRUSTED_PROXIES, but sends no PROXY header: its SMTP connections are refused`);
    return null;
  }

  private warnOnce(text: string): void {
    if (!this.hasWarned) this.logger.warn(text);
    this.hasWarned = true;
  }

  private encrypt(socket: Socket): Promise<TLSSocket> {
    const encrypted = new TLSSocket(socket, { isServer: true, secureContext: this.secureContext });
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => encrypted.destroy(), HANDSHAKE_TIMEOUT_MS);
      const fail = () => {
        clearTimeout(timer);
        encrypted.destroy();
        reject(new Error('The TLS handshake failed'));
      };
      for (const event of ['error', '_tlsError', 'close']) encrypted.once(event, fail);
      encrypted.once('secure', () => {
        clearTimeout(timer);
        for (const event of ['error', '_tlsError', 'close']) encrypted.removeListener(event, fail);
        encrypted.on('error', () => undefined);
        resolve(encrypted);
      });
    });
  }

  /** A client that expects TLS gets no reply: it could not read one. */
  private refuse(socket: Socket, isTls: boolean, why: string): void {
    this.reports.refusedConnection();
    if (isTls) socket.destroy();
    else socket.end(`421 ${why}\r\n`, () => socket.destroy());
  }
}

const secureContextOf = (keyPair: KeyPair): SecureContext => createSecureContext({ ...keyPair, minVersion: 'TLSv1.2' });

function replyAfter(work: Promise<void>, reply: (error?: Refusal | null) => void): void {
  work.then(() => {
    reply();
  }, reply);
}
