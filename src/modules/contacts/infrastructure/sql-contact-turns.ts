import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { ContactTurns } from '../application/ports/contact-turns.js';

/** Any numbers that nothing else in the database locks, as the first of two. */
const LISTS = 7_203_117;
const SUPPRESSIONS = 7_203_118;

/**
 * Advisory locks of an account. Asked in statements of their own, so that the next one sees what others committed. That of the
 * suppressions is taken last, with all slow work done: it is held for the time of a few statements.
 */
@Injectable()
export class SqlContactTurns extends ContactTurns {
  constructor(private readonly database: Database) {
    super();
  }

  async toUseLists(accountId: string): Promise<void> {
    await this.database.query('SELECT pg_advisory_xact_lock_shared($1, hashtext($2))', [LISTS, accountId]);
  }

  async toChangeLists(accountId: string): Promise<void> {
    await this.database.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [LISTS, accountId]);
  }

  /** In one order, so that two who hold several accounts cannot block each other. */
  async toSuppress(accountIds: readonly string[]): Promise<void> {
    await this.database.query(
      `SELECT pg_advisory_xact_lock($1, key)
       FROM (SELECT DISTINCT hashtext(account_id) AS key FROM unnest($2::text[]) AS account_id ORDER BY key) ordered`,
      [SUPPRESSIONS, accountIds],
    );
  }

  async toFollow(accountId: string): Promise<void> {
    await this.database.query('SELECT pg_advisory_xact_lock_shared($1, hashtext($2))', [SUPPRESSIONS, accountId]);
  }
}
