import { Injectable } from '@nestjs/common';

import { MAX_UNSTORED_LENGTH, MAX_UNSTORED_LENGTH_PER_ACCOUNT } from '../../../config/limits.js';
import { Limiter, type Release } from '../../../concurrency/limiter.js';
import { OverloadError } from '../../../shared/domain-error.js';

/** Takes memory for `length` characters. Throws `unavailable` if too many are in use. */
export type TakeMemory = (length: number) => void;

/**
 * Bounds the contents that accounts have rendered and not yet stored. A request is small if a template makes its
 * content, so the memory for large bodies does not count it.
 */
@Injectable()
export class ContentMemory {
  private readonly lengths = new Limiter({ total: MAX_UNSTORED_LENGTH, perKey: MAX_UNSTORED_LENGTH_PER_ACCOUNT });

  /** Gives back the memory that `work` has taken when it ends. */
  async during<T>(accountId: string, work: (take: TakeMemory) => Promise<T>): Promise<T> {
    const taken: Release[] = [];
    try {
      return await work((length) => {
        const release = this.lengths.tryAcquire(accountId, length);
        if (!release) throw new OverloadError();
        taken.push(release);
      });
    } finally {
      for (const release of taken) release();
    }
  }
}
