import { DomainError } from '../../shared/domain-error.js';
import type { Database } from './database.js';

/** The maximum number of rows of a kind in an account, and their name in the plural. */
export interface RowLimit {
  max: number;
  rows: string;
}

/**
 * Calls `add` in a transaction if the account has less than the maximum, and throws a conflict otherwise. An advisory
 * lock lets each of several concurrent calls count what those before it have added.
 */
export function addWithinLimit<T>(
  database: Database,
  accountId: string,
  { max, rows }: RowLimit,
  { count, add }: { count: () => Promise<number>; add: () => Promise<T> },
): Promise<T> {
  return database.runInLane(accountId, async () => {
    await database.query(LOCK, [`add ${rows} ${accountId}`]);
    if ((await count()) >= max) throw DomainError.conflict(`An account has at most ${max} ${rows}`);
    return add();
  });
}

const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
