import { Injectable } from '@nestjs/common';

import { Config } from '../../config/config.js';
import { DomainError } from '../../shared/domain-error.js';

/** From here on the process says that it is not ready: before it refuses, a balancer has found others. */
const NEARLY_FULL = 0.8;
/** Where bodies on their way are more than this part of the limit, slow ones are not waited for. */
const CROWDED = 0.5;
const BODY_WITHIN_MS = { usual: 30_000, crowded: 1_000 };
const LOOK_EVERY_MS = 1_000;

/** A body that is on its way. */
interface Receipt {
  since: number;
  giveUp: () => void;
}

/**
 * How much this process works on. A request whose body is still on its way does not count: a client that sends slowly
 * must not use up what others need. Bodies on their way have the same limit for themselves, and half a minute to come
 * in, or a second while they are many.
 */
@Injectable()
export class RequestsInFlight {
  readonly limit: number;
  private open = 0;
  private readonly receipts = new Set<Receipt>();
  private timer: NodeJS.Timeout | undefined;

  constructor({ maxRequestsInFlight }: Config) {
    this.limit = maxRequestsInFlight;
  }

  get count(): number {
    return this.open - this.receipts.size;
  }

  /** What comes now is one too many; the request that asks is counted. */
  get isFull(): boolean {
    return this.count > this.limit;
  }

  get isNearlyFull(): boolean {
    return this.count > this.limit * NEARLY_FULL;
  }

  begin(): void {
    this.open += 1;
  }

  end(): void {
    this.open -= 1;
  }

  /**
   * Until the function that it returns is called, the body is on its way. `giveUp` is called where that takes too long.
   * Throws where too many are on their way already.
   */
  receive(giveUp: () => void): () => void {
    if (this.receipts.size >= this.limit) this.giveUpSlow();
    if (this.receipts.size >= this.limit) throw overloaded();
    const receipt = { since: performance.now(), giveUp };
    this.receipts.add(receipt);
    this.timer ??= setInterval(() => {
      this.giveUpSlow();
    }, LOOK_EVERY_MS).unref();
    return () => this.receipts.delete(receipt);
  }

  private giveUpSlow(): void {
    const within = this.receipts.size > this.limit * CROWDED ? BODY_WITHIN_MS.crowded : BODY_WITHIN_MS.usual;
    const before = performance.now() - within;
    for (const receipt of this.receipts) {
      if (receipt.since > before) break; // the oldest come first
      this.receipts.delete(receipt);
      receipt.giveUp();
    }
    if (this.receipts.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

export const overloaded = (): DomainError =>
  new DomainError('unavailable', 'overloaded', 'The service is overloaded', 1);
