import { type IncomingMessage, maxHeaderSize, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import { BadRequestException, HttpException, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

import { Config } from '../../config/config.js';
import { errorBody } from './error.filter.js';
import { HttpDrain } from './http-drain.js';
import { API_VERSION, versionHeaderOf } from './version.js';

/** The pattern by which Node recognises a request for `100 Continue`, which it then sends. */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i;

/** The fault for which a parsed request is refused on every path. Otherwise Node would refuse it with an empty body. */
export function protocolFault({ headers, httpVersion }: IncomingMessage): HttpException | undefined {
  if (headers.host === undefined && httpVersion === '1.1') return new BadRequestException('The header Host is missing');
  if (headers.expect === undefined || CONTINUE.test(headers.expect)) return undefined;
  return new HttpException('The header Expect can only be 100-continue', 417);
}

/** Answers bytes that Node cannot parse: they never become a request, so Express does not see them. */
@Injectable()
export class ProtocolErrors implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly drain: HttpDrain,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      if (socket.writable && !this.drain.isResponding(socket)) socket.write(this.responseTo(error));
      socket.destroySoon();
    });
  }

  private responseTo({ code }: NodeJS.ErrnoException): string {
    const [status, message] = describe(code);
    const body = JSON.stringify(errorBody(status, message));
    return [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      `${versionHeaderOf(this.config.brand)}: ${API_VERSION}`,
      'X-Content-Type-Options: nosniff',
      'Cache-Control: no-store',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n');
  }
}

/** The statuses that Node itself would send. */
function describe(code: string | undefined): [status: number, message: string] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return [431, `The request line and headers are larger than ${maxHeaderSize / 1_024} kB`];
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return [413, 'The chunk extensions are too large'];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [408, 'The request was not received in time'];
    default:
      return [400, 'The request is not valid HTTP/1.1'];
  }
}
