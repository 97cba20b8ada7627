import { availableParallelism } from 'node:os';

import { Injectable } from '@nestjs/common';

import { Config } from '../../../config/config.js';
import { RequestsInFlight } from '../../../platform/metrics/requests-in-flight.js';
import { DomainError } from '../../../shared/domain-error.js';
import { PasswordHashingQueue } from '../application/ports/password-hasher.js';

/** About two seconds of hashing. */
const MAX_WAITING = 50;

interface Waiting {
  start: () => void;
  refuse: (error: DomainError) => void;
}

/** Waiting requests do not count as requests in flight; they have a separate limit. */
@Injectable()
export class FairPasswordHashingQueue extends PasswordHashingQueue {
  /** argon2 uses the four threads of libuv, as DNS lookups and file access do. Several processes share the cores. */
  private readonly concurrency: number;
  private running = 0;
  private waitingCount = 0;
  /** By client, in the order in which the clients are served. */
  private readonly waiting = new Map<string, Waiting[]>();

  constructor(
    private readonly inFlight: RequestsInFlight,
    { processes }: Config,
  ) {
    super();
    this.concurrency = availableParallelism() > 2 && processes === 1 ? 2 : 1;
  }

  async run<T>(client: string, task: () => Promise<T>): Promise<T> {
    if (this.running < this.concurrency) this.running += 1;
    else await this.wait(client);
    try {
      return await task();
    } finally {
      this.startNext();
    }
  }

  private async wait(client: string): Promise<void> {
    if (this.waitingCount >= MAX_WAITING) this.evictFor(client);
    const resume = this.inFlight.wait();
    try {
      await new Promise<void>((start, refuse) => {
        const queue = this.waiting.get(client) ?? [];
        queue.push({ start, refuse });
        this.waiting.set(client, queue);
        this.waitingCount += 1;
      });
    } finally {
      resume();
    }
  }

  /** Refuses the newest entry of the client with most entries; throws if that is the given client. */
  private evictFor(client: string): void {
    let [most, queue] = [client, this.waiting.get(client) ?? []];
    for (const [other, waiting] of this.waiting)
      if (waiting.length > queue.length + 1) [most, queue] = [other, waiting];
    if (most === client) throw tooMany();
    queue.pop()?.refuse(tooMany());
    this.waitingCount -= 1;
  }

  /** Passes the permit to the next client, which moves to the end of the order. */
  private startNext(): void {
    const [next] = this.waiting;
    if (!next) {
      this.running -= 1;
      return;
    }
    const [client, queue] = next;
    this.waiting.delete(client);
    const waiting = queue.shift();
    if (queue.length > 0) this.waiting.set(client, queue);
    this.waitingCount -= 1;
    waiting?.start();
  }
}

const tooMany = (): DomainError => new DomainError('unavailable', 'logins_queue_full', 'Too many logins at once', 1);
