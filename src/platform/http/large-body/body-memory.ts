import { Injectable } from '@nestjs/common';

import { Limiter, type Release } from '../../../concurrency/limiter.js';
import { Config } from '../../../config/config.js';
import { BYTES_PER_MB } from '../../../shared/bytes.js';
import { OverloadError } from '../../../shared/domain-error.js';

/** The largest bodies that the process holds at a time, and those of one account. */
const LARGEST_BODIES = { all: 4, perAccount: 2 };
/** The largest body without attachments, in MB. */
const LARGEST_BATCH_MB = 10;

/**
 * The largest send without its attachments, and the largest batch with all that it contains, in MB: both take the same
 * content.
 */
export const MAX_SEND_MB = 5;

/** The memory of the process for bodies above 1 MB. */
@Injectable()
export class BodyMemory {
  /** The maximum of the decoded attachments of one body. */
  readonly maxAttachmentBytes: number;
  readonly maxAttachmentsMb: number;
  /** The largest body of a mail with attachments. */
  readonly maxBodyBytes: number;
  /** The largest body of a send with attachments. */
  readonly maxSendBytes: number;
  private readonly bytes: Limiter;

  constructor({ maxAttachmentsMb }: Config) {
    this.maxAttachmentsMb = maxAttachmentsMb;
    this.maxAttachmentBytes = maxAttachmentsMb * BYTES_PER_MB;
    const encodedBytes = Math.ceil((this.maxAttachmentBytes * 4) / 3);
    this.maxBodyBytes = encodedBytes + BYTES_PER_MB;
    this.maxSendBytes = encodedBytes + MAX_SEND_MB * BYTES_PER_MB;
    const largestBytes = Math.max(this.maxBodyBytes, LARGEST_BATCH_MB * BYTES_PER_MB);
    this.bytes = new Limiter({
      total: LARGEST_BODIES.all * largestBytes,
      perKey: LARGEST_BODIES.perAccount * largestBytes,
    });
  }

  /** Takes the memory for a body. Throws `unavailable` if it, or the account's share of it, is in use. */
  take(accountId: string, bytes: number): HeldBody {
    return new HeldBody(() => {
      const release = this.bytes.tryAcquire(accountId, bytes);
      if (!release) throw new OverloadError();
      return release;
    });
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
  private release: Release | null;

  constructor(private readonly take: () => Release) {
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
