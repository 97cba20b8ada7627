import { Injectable } from '@nestjs/common';

import { Config } from '../../../config/config.js';
import { overloaded } from '../../metrics/requests-in-flight.js';

export const BYTES_PER_MB = 1_048_576;
/** The largest bodies that the process holds at a time. */
const LARGEST_BODIES = 4;

/** The memory of the process for bodies above 1 MB. */
@Injectable()
export class BodyMemory {
  /** Of the decoded attachments of one body. */
  readonly maxAttachmentBytes: number;
  readonly maxAttachmentsMb: number;
  readonly maxBodyBytes: number;
  private free: number;

  constructor({ maxAttachmentsMb }: Config) {
    this.maxAttachmentsMb = maxAttachmentsMb;
    this.maxAttachmentBytes = maxAttachmentsMb * BYTES_PER_MB;
    this.maxBodyBytes = Math.ceil((this.maxAttachmentBytes * 4) / 3) + BYTES_PER_MB;
    this.free = LARGEST_BODIES * this.maxBodyBytes;
  }

  /** Takes the memory for a body until the returned function is called. Throws `unavailable` if it is in use. */
  take(bytes: number): () => void {
    if (bytes > this.free) throw overloaded();
    this.free -= bytes;
    let isTaken = true;
    return () => {
      if (isTaken) this.free += bytes;
      isTaken = false;
    };
  }
}
