import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';

/** Characters of the contents that wait to be stored: in this process, and of one account. */
const MAX_LENGTH = { total: 150_000_000, perAccount: 50_000_000 };

/** Takes memory for so many characters. Throws `unavailable` if too many are in use. */
export type TakeMemory = (length: number) => void;

/**
 * Bounds what accounts have rendered and not yet stored. A request is small if a template makes its content, so the
 * memory for large bodies does not count it.
 */
@Injectable()
export class ContentMemory {
  private readonly lengths = new Map<string, number>();
  private total = 0;

  /** What `work` takes is given back when it ends. */
  async during<T>(accountId: string, work: (take: TakeMemory) => Promise<T>): Promise<T> {
    let taken = 0;
    try {
      return await work((length) => {
        this.requireRoom(accountId, length);
        this.add(accountId, length);
        taken += length;
      });
    } finally {
      this.add(accountId, -taken);
    }
  }

  private requireRoom(accountId: string, length: number): void {
    const ofAccount = this.lengths.get(accountId) ?? 0;
    if (this.total + length <= MAX_LENGTH.total && ofAccount + length <= MAX_LENGTH.perAccount) return;
    throw new DomainError('unavailable', 'overloaded', 'The service is overloaded', 1);
  }

  private add(accountId: string, length: number): void {
    this.total += length;
    const ofAccount = (this.lengths.get(accountId) ?? 0) + length;
    if (ofAccount === 0) this.lengths.delete(accountId);
    else this.lengths.set(accountId, ofAccount);
  }
}
