import { Injectable } from '@nestjs/common';

import { Config } from '../../config/config.js';
import { OverloadError } from '../../shared/domain-error.js';
import { ClientTransfers } from './client-transfers.js';

/** Above this share the process reports itself not ready, so that a load balancer looks elsewhere before it refuses. */
const NEARLY_FULL = 0.8;

/**
 * Counts the requests that this process works on. Requests whose body is still being received, and those whose response
 * is complete but not yet sent, do not count: slow clients must not use up the capacity that others need. Each of the
 * two kinds has the same limit of its own, and the timeouts of ClientTransfers.
 */
@Injectable()
export class RequestsInFlight {
  readonly limit: number;
  private open = 0;
  private waiting = 0;
  private readonly bodies: ClientTransfers;
  private readonly responses: ClientTransfers;

  constructor({ maxRequestsInFlight }: Config) {
    this.limit = maxRequestsInFlight;
    this.bodies = new ClientTransfers(this.limit);
    this.responses = new ClientTransfers(this.limit);
  }

  get count(): number {
    return this.open - this.waiting - this.bodies.size - this.responses.size;
  }

  /** Whether there is no capacity for the current request, which is counted already. */
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

  /** Does not count the request until the returned function is called: it waits in a queue with its own limit. */
  wait(): () => void {
    this.waiting += 1;
    return () => (this.waiting -= 1);
  }

  /**
   * The body is being received until the returned function is called. Calls `abort` if that takes too long. Throws if
   * too many bodies are being received.
   */
  receive(abort: () => void): () => void {
    const received = this.bodies.begin(abort);
    if (!received) throw new OverloadError();
    return received;
  }

  /**
   * The response is being sent until the returned function is called. Calls `abort` if that takes too long, or if it is
   * the oldest of too many.
   */
  deliver(abort: () => void): () => void {
    return this.responses.beginInsteadOfOldest(abort);
  }
}
