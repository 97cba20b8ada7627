import { MAX_UNVERIFIED_DOMAINS } from '../../../../config/limits.js';
import { Limiter } from '../../../../concurrency/limiter.js';
import { DomainError } from '../../../../shared/domain-error.js';
import type { DkimKey } from '../../domain/dkim-key.js';
import type { Domain } from '../../domain/domain.js';

/** A minute of work, or ten accounts that add as many domains as they may. */
const MAX_WAITING = 10 * MAX_UNVERIFIED_DOMAINS;

/**
 * Generates one key at a time in this process, the accounts taking turns. Each key occupies one of libuv's four threads
 * for a fraction of a second. If keys took all of them, logins and new connections to PostgreSQL would wait.
 */
export class DkimKeyQueue {
  private readonly generating = new Limiter({
    total: 1,
    maxWaitingPerKey: MAX_UNVERIFIED_DOMAINS,
    maxWaiting: MAX_WAITING,
    refusal: () => new DomainError('unavailable', 'overloaded', 'Too many domains are being added', 1),
  });

  constructor(private readonly generate: (domainId: string) => Promise<DkimKey>) {}

  /** Throws `unavailable` if too many keys are waiting. */
  generateFor({ accountId, id }: Pick<Domain, 'accountId' | 'id'>): Promise<DkimKey> {
    return this.generating.run(accountId, () => this.generate(id));
  }
}
