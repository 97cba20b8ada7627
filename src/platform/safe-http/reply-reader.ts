import type { Dispatcher } from 'undici';

import { LeaseEndedError } from '../../shared/submission-check.js';

const MAX_BYTES = 65_536;
const KEPT_BYTES = 1_024;

export interface HttpReply {
  statusCode: number;
  /** The header as it came. */
  retryAfter: string | null;
  /** Its start: at most 1,024 bytes of UTF-8, without NUL. */
  body: string;
}

/**
 * Takes in the answer to one request as it arrives, without the stream that undici would make of it. Reads to the end, so
 * that the connection can be used again, but no further than 64 kB: whatever is longer is cut off there, and its connection
 * closed.
 */
export class ReplyReader implements Dispatcher.DispatchHandler {
  /** Settles once, with what comes first: the end of the answer, an error, or the abortion. */
  readonly reply: Promise<HttpReply>;
  /** When undici has let go of the request: of one that is aborted while its connection is being made, only then. */
  readonly released: Promise<void>;
  private resolve!: (reply: HttpReply) => void;
  private reject!: (error: Error) => void;
  private release!: () => void;
  private controller: Dispatcher.DispatchController | undefined;
  private aborted: Error | undefined;
  private statusCode = 0;
  private retryAfter: string | null = null;
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

  /** Ends the request wherever it stands; one that has no connection yet, as soon as it gets one. */
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

  /** Of several, as after `103 Early Hints`, the last one counts. */
  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.statusCode = statusCode;
    this.retryAfter = [headers['retry-after'] ?? null].flat()[0] ?? null;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.bytes < KEPT_BYTES) this.start.push(chunk.subarray(0, KEPT_BYTES - this.bytes));
    this.bytes += chunk.length;
    if (this.bytes <= MAX_BYTES) return;
    this.onResponseEnd();
    controller.abort(new Error('The rest of the answer is not read'));
  }

  onResponseEnd(): void {
    this.resolve({ statusCode: this.statusCode, retryAfter: this.retryAfter, body: this.textOfStart() });
    this.release();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.reject(error);
    this.release();
  }

  /** Such that any column can hold it. As a stream, a character that is cut at the end is left out. */
  private textOfStart(): string {
    if (this.bytes === 0) return '';
    const isCut = this.bytes > KEPT_BYTES;
    const text = new TextDecoder().decode(Buffer.concat(this.start), { stream: isCut }).replaceAll('\0', '\ufffd');
    const { read } = new TextEncoder().encodeInto(text, new Uint8Array(KEPT_BYTES));
    return text.slice(0, read);
  }
}
