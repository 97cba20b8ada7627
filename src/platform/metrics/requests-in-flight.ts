import { Injectable } from '@nestjs/common';

import { Config } from '../../config/config.js';
import { DomainError } from '../../shared/domain-error.js';
import { ClientTransfers } from './client-transfers.js';

/** From here on the process says that it is not ready: before it refuses, a balancer has found others. */
const NEARLY_FULL = 0.8;

/**
 * How much this process works on. A request whose body is still on its way does not count, nor does one whose answer is
 * complete but not yet taken: a client that sends or reads slowly must not use up what others need. Both have the same
 * limit for themselves, and the time of ClientTransfers.
 */
@Injectable()
export class RequestsInFlight {
  readonly limit: number;
  private open = 0;
  private waiting = 0;
  private readonly bodies: ClientTransfers;
  private readonly answers: ClientTransfers;

  constructor({ maxRequestsInFlight }: Config) {
    this.limit = maxRequestsInFlight;
    this.bodies = new ClientTransfers(this.limit);
    this.answers = new ClientTransfers(this.limit);
  }

  get count(): number {
    return this.open - this.waiting - this.bodies.size - this.answers.size;
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

  /** Until the function that it returns is called, the request waits in a queue that has a limit of its own. */
  wait(): () => void {
    this.waiting += 1;
    return () => (this.waiting -= 1);
  }

  /**
   * Until the function that it returns is called, the body is on its way. `giveUp` is called where that takes too long.
   * Throws where too many are on their way already.
   */
  receive(giveUp: () => void): () => void {
    const received = this.bodies.begin(giveUp);
    if (!received) throw overloaded();
    return received;
  }

  /**
   * Until the function that it returns is called, the client has not taken the whole answer. `giveUp` is called where
   * that takes too long, or where it is the oldest of too many.
   */
  deliver(giveUp: () => void): () => void {
    return this.answers.beginInsteadOfOldest(giveUp);
  }
}

export const overloaded = (): DomainError =>
  new DomainError('unavailable', 'overloaded', 'The service is overloaded', 1);
