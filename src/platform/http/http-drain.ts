import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { type BeforeApplicationShutdown, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

import { RequestsInFlight } from '../metrics/requests-in-flight.js';

/**
 * Counts the requests in flight, and closes the HTTP server once they are answered. Node alone would also wait for
 * connections that have sent no request yet, which browsers and load balancers open in advance: a minute and more,
 * longer than the grace period of a stop.
 */
@Injectable()
export class HttpDrain implements OnModuleInit, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly idle = new Set<Socket>();
  private readonly unanswered = new Map<Socket, ServerResponse>();
  private stopping = false;
  private closed: Promise<unknown> | undefined;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly inFlight: RequestsInFlight,
  ) {}

  onModuleInit(): void {
    this.server.on('connection', (socket: Socket) => {
      this.idle.add(socket);
      socket.once('close', () => this.idle.delete(socket));
    });
  }

  /** Counts the request until its response closes. The response must have the socket, or it would never close. */
  begin(socket: Socket, response: ServerResponse): void {
    this.idle.delete(socket);
    this.unanswered.set(socket, response);
    this.inFlight.begin();
    let onDelivered: (() => void) | undefined;
    const onWritten = () => {
      onDelivered = this.inFlight.deliver(() => socket.destroy());
    };
    response.once('prefinish', onWritten);
    if (this.stopping) response.setHeader('Connection', 'close');
    response.once('close', () => {
      this.unanswered.delete(socket);
      response.removeListener('prefinish', onWritten);
      onDelivered?.();
      this.inFlight.end();
      if (this.stopping) socket.end();
      else if (!socket.destroyed) this.idle.add(socket);
    });
  }

  /** Whether part of a response may be on its way, so that nothing else may be written to the connection. */
  isResponding(socket: Socket): boolean {
    return this.unanswered.get(socket)?.headersSent ?? false;
  }

  /**
   * Pipelined requests that are still queued are not started; clients may repeat them elsewhere. Nest calls
   * `beforeApplicationShutdown` of one module after the other: whatever takes time to stop begins here.
   */
  onModuleDestroy(): void {
    if (!this.server.listening) return;
    this.stopping = true;
    this.closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.idle) socket.destroy();
    for (const response of this.unanswered.values())
      if (!response.headersSent) response.setHeader('Connection', 'close');
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.closed;
  }

  private get server(): Server {
    return this.host.httpAdapter.getHttpServer() as Server;
  }
}
