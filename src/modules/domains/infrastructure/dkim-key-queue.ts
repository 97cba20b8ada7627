import { DomainError } from '../../../shared/domain-error.js';
import { FairSemaphore } from '../../../shared/fair-semaphore.js';
import type { DkimKey } from '../domain/dkim-key.js';
import { type Domain, MAX_UNVERIFIED_DOMAINS } from '../domain/domain.js';

/** A minute of work, or ten accounts that add as many domains as they may. */
const MAX_WAITING = 10 * MAX_UNVERIFIED_DOMAINS;

/**
 * Generates one key at a time in this process, the accounts taking turns. Each key occupies one of libuv's four threads
 * for a fraction of a second. If keys took all of them, logins and new connections to PostgreSQL would wait.
 */
export class DkimKeyQueue {
  private readonly permits = new FairSemaphore({
    perKey: 1,
    total: 1,
    maxWaitingPerKey: MAX_UNVERIFIED_DOMAINS,
    maxWaiting: MAX_WAITING,
  });

  constructor(private readonly generate: (domainId: string) => Promise<DkimKey>) {}

  /** Throws `unavailable` if too many keys are waiting. */
  async generateFor({ accountId, id }: Pick<Domain, 'accountId' | 'id'>): Promise<DkimKey> {
    const release = await this.permits.acquire(accountId);
    if (!release) throw new DomainError('unavailable', 'dkim_keys_busy', 'Too many domains are being added', 1);
    try {
      return await this.generate(id);
    } finally {
      release();
    }
  }
}
