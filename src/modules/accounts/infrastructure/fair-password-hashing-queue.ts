import { availableParallelism } from 'node:os';

import { Injectable } from '@nestjs/common';

import { MAX_WAITING_LOGINS } from '../../../config/limits.js';
import { Limiter } from '../../../concurrency/limiter.js';
import { Config } from '../../../config/config.js';
import { RequestsInFlight } from '../../../platform/metrics/requests-in-flight.js';
import { DomainError } from '../../../shared/domain-error.js';
import { PasswordHashingQueue } from '../application/ports/password-hasher.js';

/** Waiting requests do not count as requests in flight; they have a separate limit. */
@Injectable()
export class FairPasswordHashingQueue extends PasswordHashingQueue {
  private readonly hashing: Limiter;

  constructor(
    private readonly inFlight: RequestsInFlight,
    { processes }: Config,
  ) {
    super();
    // argon2 uses the four threads of libuv, as DNS lookups and file access do. Several processes share the cores.
    const total = availableParallelism() > 2 && processes === 1 ? 2 : 1;
    this.hashing = new Limiter({ total, maxWaiting: MAX_WAITING_LOGINS, refusal: tooMany });
  }

  async run<T>(client: string, task: () => Promise<T>): Promise<T> {
    let isWaiting = true;
    const resume = this.inFlight.wait();
    const endWait = () => {
      if (isWaiting) resume();
      isWaiting = false;
    };
    try {
      return await this.hashing.run(client, () => {
        endWait();
        return task();
      });
    } finally {
      endWait();
    }
  }
}

const tooMany = (): DomainError => new DomainError('unavailable', 'overloaded', 'Too many logins at once', 1);
