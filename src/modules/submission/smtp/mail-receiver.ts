import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import { BodyMemory, BYTES_PER_MB, type HeldBody } from '../../../platform/http/large-body/body-memory.js';
import { overloaded, RequestsInFlight } from '../../../platform/metrics/requests-in-flight.js';
import type { ReceivedMail } from '../domain/received-mail.js';
import { notMime, Refusal } from '../domain/refusal.js';
import { LineScanner } from './line-scanner.js';

/** Within this time and at this rate, as for large bodies of HTTP. Mails up to 1 MB have the time of small bodies. */
const RECEIVE_TIMEOUT = { ms: 10_000, bytesPerMs: 250 };
/** More than this multiple of the largest mail is not even discarded. */
const DISCARDED = 2;

interface Transfer {
  accountId: string;
  /** As the client has announced it; 0 if it has not. */
  announcedBytes: number;
  /** Ends the transfer of a client that is too slow. */
  abort: () => void;
}

/** Receives mails within the memory that large bodies of HTTP share, and counts them as requests in flight. */
@Injectable()
export class MailReceiver {
  constructor(
    private readonly memory: BodyMemory,
    private readonly inFlight: RequestsInFlight,
  ) {}

  get maxBytes(): number {
    return this.memory.maxBodyBytes;
  }

  get isOverloaded(): boolean {
    return this.inFlight.isFull;
  }

  /**
   * Runs `work` with the mail, whose memory is kept until it ends. Throws a Refusal for a mail that is too large or is
   * not made of lines, `unavailable` under overload, and the error of the stream if the client disconnects.
   */
  async receive<T>(stream: Readable, transfer: Transfer, work: (mail: ReceivedMail) => Promise<T>): Promise<T> {
    this.inFlight.begin();
    const arriving = new ArrivingMail(this.memory, this.inFlight, transfer);
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) arriving.add(chunk);
      const mail = arriving.finish();
      if (this.inFlight.isFull) throw overloaded();
      return await work(mail);
    } finally {
      arriving.release();
      this.inFlight.end();
    }
  }
}

/** In memory as chunks up to 1 MB, then in one buffer for which memory is taken. */
class ArrivingMail {
  private readonly lines = new LineScanner();
  private chunks: Buffer[] = [];
  private bytes = 0;
  private large: { target: Buffer; held: HeldBody; timer: NodeJS.Timeout } | null = null;
  private received: () => void;

  constructor(
    private readonly memory: BodyMemory,
    private readonly inFlight: RequestsInFlight,
    private readonly transfer: Transfer,
  ) {
    this.received = inFlight.receive(transfer.abort);
  }

  add(chunk: Buffer): void {
    this.bytes += chunk.length;
    const { maxBodyBytes } = this.memory;
    if (this.bytes > DISCARDED * maxBodyBytes) throw tooLarge(maxBodyBytes);
    if (this.bytes > maxBodyBytes) {
      this.chunks = [];
      return;
    }
    this.lines.add(chunk);
    if (!this.large && this.bytes > BYTES_PER_MB) this.growLarge(this.bytes - chunk.length);
    if (this.large) this.copy(this.large.target, chunk);
    else this.chunks.push(chunk);
  }

  finish(): ReceivedMail {
    this.received();
    const { maxBodyBytes } = this.memory;
    if (this.bytes > maxBodyBytes) throw tooLarge(maxBodyBytes);
    const { fault, longestLineBytes } = this.lines;
    if (fault !== undefined) throw notMime(fault);
    const bytes = this.large ? this.large.target.subarray(0, this.bytes) : Buffer.concat(this.chunks, this.bytes);
    return { bytes, longestLineBytes };
  }

  release(): void {
    this.received();
    this.large?.held.close();
  }

  private growLarge(received: number): void {
    const { accountId, announcedBytes, abort } = this.transfer;
    const { maxBodyBytes } = this.memory;
    const size = announcedBytes > this.bytes ? Math.min(announcedBytes, maxBodyBytes) : maxBodyBytes;
    const held = this.memory.take(accountId, size);
    this.received();
    const waited = this.inFlight.wait();
    const timer = setTimeout(abort, RECEIVE_TIMEOUT.ms + size / RECEIVE_TIMEOUT.bytesPerMs);
    this.received = () => {
      clearTimeout(timer);
      waited();
      this.received = () => undefined;
    };
    this.large = { target: Buffer.allocUnsafeSlow(size), held, timer };
    let end = 0;
    for (const chunk of this.chunks) end += chunk.copy(this.large.target, end);
    if (end !== received) throw new Error('A chunk of a mail is missing');
    this.chunks = [];
  }

  /** A client may send more than it has announced. */
  private copy(target: Buffer, chunk: Buffer): void {
    if (this.bytes > target.length) throw new Refusal(552, 'The mail is larger than announced');
    chunk.copy(target, this.bytes - chunk.length);
  }
}

const tooLarge = (maxBytes: number): Refusal => new Refusal(552, `The mail is larger than ${maxBytes} bytes`);
