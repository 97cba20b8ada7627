import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

import { HttpDrain } from './http-drain.js';

/** Unanswered requests that one connection may have; a client that sends more is cut off. */
const MAX_UNANSWERED = 64;

interface Waiting {
  response: ServerResponse;
  start: () => void;
}

/**
 * Works on one request of a connection at a time. Node gives every request that it has parsed to the application at
 * once, but a response gets the socket, and with it its events, only when those before it are finished: where the
 * client goes away, the others never close. So a pipelined request is begun only once its response holds the socket.
 */
@Injectable()
export class RequestPipeline implements OnModuleInit {
  private readonly waiting = new WeakMap<Socket, Waiting[]>();

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly drain: HttpDrain,
  ) {}

  onModuleInit(): void {
    // Node would answer these itself, and what waits behind them would not learn when that is done.
    (this.host.httpAdapter.getHttpServer() as Server).on('checkExpectation', (request, response) => {
      this.admit(request, response, () => response.writeHead(417).end());
    });
  }

  /** The first middleware of all: `start` is called when the requests before this one are answered, or never. */
  admit({ socket }: IncomingMessage, response: ServerResponse, start: () => void): void {
    if (response.socket) this.begin(socket, { response, start });
    else if (!socket.destroyed) this.enqueue(socket, { response, start });
  }

  private enqueue(socket: Socket, waiting: Waiting): void {
    const queue = this.waiting.get(socket) ?? [];
    queue.push(waiting);
    this.waiting.set(socket, queue);
    // The request that is worked on counts too.
    if (queue.length < MAX_UNANSWERED) return;
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

  /** The next response has the socket by now, unless the connection ends with the last one. */
  private beginNext(socket: Socket): void {
    const next = this.waiting.get(socket)?.shift();
    if (!next) return;
    if (next.response.socket && socket.writable) this.begin(socket, next);
    else this.waiting.delete(socket);
  }
}
