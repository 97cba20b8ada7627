import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import { BodyMemory, type HeldBody } from '../../../platform/http/large-body/body-memory.js';
import { BYTES_PER_MB } from '../../../shared/bytes.js';
import { nextTurn } from '../../../concurrency/time-slice.js';
import { RequestsInFlight } from '../../../platform/metrics/requests-in-flight.js';
import { OverloadError } from '../../../shared/domain-error.js';
import type { ReceivedMail } from '../domain/received-mail.js';
import { notMime, Refusal } from '../../../mail/reading/refusal.js';
import { LineScanner } from './line-scanner.js';

/**
 * A mail has this time, and more at this rate, as large HTTP bodies have. Mails up to 1 MB have the time of small
 * bodies.
 */
const RECEIVE_TIMEOUT = { ms: 10_000, bytesPerMs: 250 };
/** Above this multiple of the largest mail, the rest is not even read to discard it. */
const DISCARDED = 2;
/** Memory for the first bytes of a mail. */
const SMALLEST_BYTES = 8_192;
const ANNOUNCED_MARGIN = 17 / 16;
/** Bytes that take less than a millisecond to receive. After as many, a mail waits for its account's next turn. */
const TURN_BYTES = 65_536;

interface Transfer {
  accountId: string;
  /** The size that the client has announced; 0 if it has not. */
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
      let turnEnds = TURN_BYTES;
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        if (arriving.bytes >= turnEnds) {
          await nextTurn(transfer.accountId);
          turnEnds = arriving.bytes + TURN_BYTES;
        }
        arriving.add(chunk);
      }
      const mail = arriving.finish();
      if (this.inFlight.isFull) throw new OverloadError();
      return await work(mail);
    } finally {
      arriving.release();
      this.inFlight.end();
    }
  }
}

/** A mail in one buffer. Above 1 MB, memory of the budget is taken for it, step by step. */
class ArrivingMail {
  private readonly lines = new LineScanner();
  private readonly held: HeldBody[] = [];
  private target: Buffer = Buffer.alloc(0);
  bytes = 0;
  /** The bytes that the mail may have before memory for more is taken. */
  private size = 0;
  private largeSince: number | null = null;
  private timer: NodeJS.Timeout | undefined;
  private received: () => void;

  constructor(
    private readonly memory: BodyMemory,
    private readonly inFlight: RequestsInFlight,
    private readonly transfer: Transfer,
  ) {
    this.received = inFlight.receive(transfer.abort);
  }

  /** Copies the chunk: the library makes one of each line that begins with a dot, and each takes a hundred bytes. */
  add(chunk: Buffer): void {
    const start = this.bytes;
    this.bytes += chunk.length;
    const { maxBodyBytes } = this.memory;
    if (this.bytes > DISCARDED * maxBodyBytes) throw tooLarge(maxBodyBytes);
    if (this.bytes > maxBodyBytes) {
      this.target = Buffer.alloc(0);
      return;
    }
    this.lines.add(chunk);
    if (this.bytes > this.size) this.grow(start);
    chunk.copy(this.target, start);
  }

  finish(): ReceivedMail {
    this.received();
    const { maxBodyBytes } = this.memory;
    if (this.bytes > maxBodyBytes) throw tooLarge(maxBodyBytes);
    const { fault, longestLineBytes } = this.lines;
    if (fault !== undefined) throw notMime(fault);
    return { bytes: this.target.subarray(0, this.bytes), longestLineBytes };
  }

  release(): void {
    this.received();
    for (const held of this.held) held.close();
  }

  private grow(filled: number): void {
    const size = this.nextSize();
    if (size > BYTES_PER_MB) this.takeMemory(size);
    this.size = size;
    if (size <= this.target.length) return;
    // Copying megabytes again and again would block the event loop. Unused memory takes only address space.
    const target = Buffer.allocUnsafeSlow(size > BYTES_PER_MB ? this.memory.maxBodyBytes : size);
    this.target.copy(target, 0, 0, filled);
    this.target = target;
  }

  /** Clients may announce less than they send: some count line ends as one byte. */
  private nextSize(): number {
    const doubled = Math.max(2 * this.size, this.bytes, SMALLEST_BYTES);
    if (this.bytes <= BYTES_PER_MB) return Math.min(doubled, BYTES_PER_MB);
    const { announcedBytes } = this.transfer;
    const announced = announcedBytes > this.bytes ? Math.ceil(announcedBytes * ANNOUNCED_MARGIN) : 0;
    return Math.min(Math.max(doubled, announced), this.memory.maxBodyBytes);
  }

  private takeMemory(size: number): void {
    const { accountId, abort } = this.transfer;
    const before = this.size > BYTES_PER_MB ? this.size : 0;
    this.held.push(this.memory.take(accountId, size - before));
    this.largeSince ??= this.becomeLarge();
    clearTimeout(this.timer);
    const endsAt = this.largeSince + RECEIVE_TIMEOUT.ms + size / RECEIVE_TIMEOUT.bytesPerMs;
    this.timer = setTimeout(abort, endsAt - performance.now());
  }

  /** Returns the time from which the limits of a large mail count. */
  private becomeLarge(): number {
    this.received();
    const waited = this.inFlight.wait();
    this.received = () => {
      clearTimeout(this.timer);
      waited();
      this.received = () => undefined;
    };
    return performance.now();
  }
}

const tooLarge = (maxBytes: number): Refusal => new Refusal(552, `The mail is larger than ${maxBytes} bytes`);
