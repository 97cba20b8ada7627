import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

import { MAX_UNANSWERED_REQUESTS } from '../../config/limits.js';
import { HttpDrain } from './http-drain.js';

interface Waiting {
  response: ServerResponse;
  start: () => void;
}

/**
 * Handles one request of a connection at a time. Node passes every parsed request to the application at once, but
 * assigns the socket to a response only when the responses before it are finished. If the client disconnects, the
 * responses without a socket never emit `close`. So a pipelined request starts only once its response has the socket.
 */
@Injectable()
export class RequestPipeline implements OnModuleInit {
  private readonly waiting = new WeakMap<Socket, Waiting[]>();

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly drain: HttpDrain,
  ) {}

  onModuleInit(): void {
    // Node would answer these itself, and the requests queued behind them would never start. See protocolFault.
    const server = this.host.httpAdapter.getHttpServer() as Server;
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  }

  /**
   * Must be the first middleware. Calls `start` when the requests before this one are answered; never if the client is
   * gone.
   */
  admit({ socket }: IncomingMessage, response: ServerResponse, start: () => void): void {
    if (response.socket) this.begin(socket, { response, start });
    else if (!socket.destroyed) this.enqueue(socket, { response, start });
  }

  private enqueue(socket: Socket, waiting: Waiting): void {
    const queue = this.waiting.get(socket) ?? [];
    queue.push(waiting);
    this.waiting.set(socket, queue);
    // The request in progress counts too.
    if (queue.length < MAX_UNANSWERED_REQUESTS) return;
    this.waiting.delete(socket);
    socket.destroy();
  }

  private begin(socket: Socket, { response, start }: Waiting): void {
    this.drain.begin(socket, response);
    response.once('close', () => {
      this.beginNext(socket);
    });
    start();
  }

  /** The next response has the socket now, unless the connection ends with the previous one. */
  private beginNext(socket: Socket): void {
    const next = this.waiting.get(socket)?.shift();
    if (!next) return;
    if (next.response.socket && socket.writable) this.begin(socket, next);
    else this.waiting.delete(socket);
  }
}
