import { Injectable } from '@nestjs/common';

import { Config } from '../../../config/config.js';
import { BYTES_PER_MB } from '../../../shared/bytes.js';
import { overloaded } from '../../metrics/requests-in-flight.js';

/** The largest bodies that the process holds at a time, and those of one account. */
const LARGEST_BODIES = { all: 4, perAccount: 2 };
/** Of bodies without attachments. */
const LARGEST_BATCH_MB = 10;

/** The memory of the process for bodies above 1 MB. */
@Injectable()
export class BodyMemory {
  /** Of the decoded attachments of one body. */
  readonly maxAttachmentBytes: number;
  readonly maxAttachmentsMb: number;
  /** Of a body with attachments. */
  readonly maxBodyBytes: number;
  private readonly largestBytes: number;
  private readonly usedByAccount = new Map<string, number>();
  private used = 0;

  constructor({ maxAttachmentsMb }: Config) {
    this.maxAttachmentsMb = maxAttachmentsMb;
    this.maxAttachmentBytes = maxAttachmentsMb * BYTES_PER_MB;
    this.maxBodyBytes = Math.ceil((this.maxAttachmentBytes * 4) / 3) + BYTES_PER_MB;
    this.largestBytes = Math.max(this.maxBodyBytes, LARGEST_BATCH_MB * BYTES_PER_MB);
  }

  /** Takes the memory for a body. Throws `unavailable` if it, or the account's share of it, is in use. */
  take(accountId: string, bytes: number): HeldBody {
    return new HeldBody(() => this.reserve(accountId, bytes));
  }

  private reserve(accountId: string, bytes: number): () => void {
    const usedByAccount = this.usedByAccount.get(accountId) ?? 0;
    if (this.used + bytes > LARGEST_BODIES.all * this.largestBytes) throw overloaded();
    if (usedByAccount + bytes > LARGEST_BODIES.perAccount * this.largestBytes) throw overloaded();
    this.add(accountId, bytes);
    return () => {
      this.add(accountId, -bytes);
    };
  }

  private add(accountId: string, bytes: number): void {
    this.used += bytes;
    const usedByAccount = (this.usedByAccount.get(accountId) ?? 0) + bytes;
    if (usedByAccount === 0) this.usedByAccount.delete(accountId);
    else this.usedByAccount.set(accountId, usedByAccount);
  }
}

/**
 * The memory of one body. It is given back once the response is closed and no handler uses the body any more: a client
 * that disconnects does not end the handler. If it has disconnected before the handler begins, that takes the memory
 * again.
 */
export class HeldBody {
  private isClosed = false;
  private isUsed = false;
  private release: (() => void) | null;

  constructor(private readonly take: () => () => void) {
    this.release = take();
  }

  close(): void {
    this.isClosed = true;
    this.releaseIfUnused();
  }

  /** Throws `unavailable` if the response was closed before, and the memory is in use meanwhile. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.release ??= this.take();
    this.isUsed = true;
    try {
      return await work();
    } finally {
      this.isUsed = false;
      this.releaseIfUnused();
    }
  }

  private releaseIfUnused(): void {
    if (!this.isClosed || this.isUsed) return;
    this.release?.();
    this.release = null;
  }
}
