import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { ContactTurns } from '../application/ports/contact-turns.js';

/** Any number that nothing else in the database locks, as the first of two. */
const TURN_LOCK = 7_203_117;

/** Advisory locks of an account: shared among writers. Asked in statements of their own, so that the next one sees what others committed. */
@Injectable()
export class SqlContactTurns extends ContactTurns {
  constructor(private readonly database: Database) {
    super();
  }

  async toWrite(accountId: string): Promise<void> {
    await this.database.query('SELECT pg_advisory_xact_lock_shared($1, hashtext($2))', [TURN_LOCK, accountId]);
  }

  /** In one order, so that two who hold several accounts cannot block each other. */
  async alone(accountIds: readonly string[]): Promise<void> {
    await this.database.query(
      `SELECT pg_advisory_xact_lock($1, key)
       FROM (SELECT DISTINCT hashtext(account_id) AS key FROM unnest($2::text[]) AS account_id ORDER BY key) ordered`,
      [TURN_LOCK, accountIds],
    );
  }
}
