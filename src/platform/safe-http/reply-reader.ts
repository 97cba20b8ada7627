import type { Dispatcher } from 'undici';

import { HttpFailure } from '../../shared/http-failure.js';
import { LeasedExchange } from './leased-exchange.js';
import { startOfHeaders } from './reply-headers.js';

const MAX_BYTES = 65_536;
const KEPT_BYTES = 1_024;
/** Servers send one or two, such as `103 Early Hints`. */
const MAX_INFORMATIONAL = 10;

export interface HttpReply {
  statusCode: number;
  /** The unparsed header. */
  retryAfter: string | null;
  /** The start of the headers: see `startOfHeaders`. */
  headers: Record<string, string>;
  /** The start of the body: at most 1,024 bytes of UTF-8, without NUL. */
  body: string;
}

/**
 * Reads the response to one request without the overhead of a stream. Reads to the end, so that the connection can be
 * reused, but no further than 64 kB: then the connection is closed.
 */
export class ReplyReader extends LeasedExchange<HttpReply> {
  private informational = 0;
  private statusCode = 0;
  private headers: Record<string, string | string[] | undefined> = {};
  private readonly start: Buffer[] = [];
  private bytes = 0;

  /** May be called several times, for instance after `103 Early Hints`: the last one counts. */
  onResponseStart(
    controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.statusCode = statusCode;
    this.headers = headers;
    if (statusCode >= 200 || ++this.informational <= MAX_INFORMATIONAL) return;
    controller.abort(new HttpFailure('response_too_large', 'The host sends too many informational answers'));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.bytes < KEPT_BYTES) this.start.push(chunk.subarray(0, KEPT_BYTES - this.bytes));
    this.bytes += chunk.length;
    if (this.bytes <= MAX_BYTES) return;
    this.onResponseEnd();
    controller.abort(new Error('The rest of the answer is not read'));
  }

  onResponseEnd(): void {
    const retryAfter = [this.headers['retry-after'] ?? null].flat()[0] ?? null;
    const headers = startOfHeaders(this.headers);
    this.complete({ statusCode: this.statusCode, retryAfter, headers, body: this.textOfStart() });
  }

  /** The text without NUL, so that it can be stored. In streaming mode the decoder drops a character cut at the end. */
  private textOfStart(): string {
    if (this.bytes === 0) return '';
    const isCut = this.bytes > KEPT_BYTES;
    const text = new TextDecoder().decode(Buffer.concat(this.start), { stream: isCut }).replaceAll('\0', '\ufffd');
    const { read } = new TextEncoder().encodeInto(text, new Uint8Array(KEPT_BYTES));
    return text.slice(0, read);
  }
}
