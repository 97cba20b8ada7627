import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { ContactLocks } from '../application/ports/contact-locks.js';

/** Arbitrary first keys that no other advisory lock in the database uses. */
const LISTS = 7_203_117;
const SUPPRESSIONS = 7_203_118;

/**
 * Advisory locks, taken in statements of their own, so that the next statement sees what others committed. The lock on
 * suppressions is taken last, after all slow work: it is held for a few statements only.
 */
@Injectable()
export class SqlContactLocks extends ContactLocks {
  constructor(private readonly database: Database) {
    super();
  }

  async lockListsShared(accountId: string, maxWaitMs?: number): Promise<void> {
    if (maxWaitMs !== undefined) await this.database.query(LIMIT_WAITS, [String(maxWaitMs)]);
    await this.database.query(SHARE, [LISTS, accountId]);
  }

  async lockLists(accountId: string): Promise<void> {
    await this.database.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [LISTS, accountId]);
  }

  async lockSuppressions(accountIds: readonly string[]): Promise<void> {
    await this.database.query(LOCK_SORTED, [SUPPRESSIONS, accountIds]);
  }

  async lockSuppressionsShared(accountId: string): Promise<void> {
    await this.database.query(SHARE, [SUPPRESSIONS, accountId]);
  }
}

/** $1: milliseconds. */
const LIMIT_WAITS = "SELECT set_config('lock_timeout', $1, true)";
const SHARE = 'SELECT pg_advisory_xact_lock_shared($1, hashtext($2))';

/** Sorted, so that two transactions that lock several accounts cannot block each other. */
const LOCK_SORTED = `
  SELECT pg_advisory_xact_lock($1, key)
  FROM (SELECT DISTINCT hashtext(account_id) AS key FROM unnest($2::text[]) AS account_id ORDER BY key) ordered`;
