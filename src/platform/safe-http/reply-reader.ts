import type { Dispatcher } from 'undici';

import { LeaseEndedError } from '../../shared/submission-check.js';
import { startOfHeaders } from './reply-headers.js';

const MAX_BYTES = 65_536;
const KEPT_BYTES = 1_024;

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
export class ReplyReader implements Dispatcher.DispatchHandler {
  /** Settles at the end of the response, at an error or when aborted, whichever comes first. */
  readonly reply: Promise<HttpReply>;
  /** Resolves when undici has released the request; one that is aborted while connecting, once it has connected. */
  readonly released: Promise<void>;
  private resolve!: (reply: HttpReply) => void;
  private reject!: (error: Error) => void;
  private release!: () => void;
  private controller: Dispatcher.DispatchController | undefined;
  private aborted: Error | undefined;
  private statusCode = 0;
  private headers: Record<string, string | string[] | undefined> = {};
  private readonly start: Buffer[] = [];
  private bytes = 0;

  /** `isHeld` is called when a connection is ready, right before the request is written. */
  constructor(private readonly isHeld: () => boolean = () => true) {
    this.reply = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.released = new Promise((resolve) => (this.release = resolve));
  }

  /** Aborts the request; one without a connection, as soon as it gets one. */
  abort(reason: Error): void {
    this.aborted = reason;
    this.controller?.abort(reason);
    this.reject(reason);
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.aborted;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (!this.isHeld()) this.abort(new LeaseEndedError());
    else if (this.aborted) controller.abort(this.aborted);
  }

  /** May be called several times, for instance after `103 Early Hints`: the last one counts. */
  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.statusCode = statusCode;
    this.headers = headers;
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
    this.resolve({ statusCode: this.statusCode, retryAfter, headers, body: this.textOfStart() });
    this.release();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.reject(error);
    this.release();
  }

  /** Without NUL, so that it can be stored. In streaming mode the decoder drops a character cut at the end. */
  private textOfStart(): string {
    if (this.bytes === 0) return '';
    const isCut = this.bytes > KEPT_BYTES;
    const text = new TextDecoder().decode(Buffer.concat(this.start), { stream: isCut }).replaceAll('\0', '\ufffd');
    const { read } = new TextEncoder().encodeInto(text, new Uint8Array(KEPT_BYTES));
    return text.slice(0, read);
  }
}
