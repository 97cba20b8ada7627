import type { Dispatcher } from 'undici';

import { LeasedExchange } from './leased-exchange.js';

export interface BufferedReply {
  statusCode: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Reads the whole response, whose size the agent limits. */
export class BufferedExchange extends LeasedExchange<BufferedReply> {
  private statusCode = 0;
  private headers: Record<string, string> = {};
  private readonly chunks: Buffer[] = [];

  /** May be called several times, for instance after `103 Early Hints`: the last one counts. */
  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.statusCode = statusCode;
    this.headers = Object.fromEntries(
      Object.entries(headers).map(([name, value = '']) => [name, [value].flat().join(', ')]),
    );
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.complete({ statusCode: this.statusCode, headers: this.headers, body: Buffer.concat(this.chunks) });
  }
}
