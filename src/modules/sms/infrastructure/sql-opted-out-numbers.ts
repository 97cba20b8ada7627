import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import type { SyncPass } from '../application/ports/opt-out-sync.repository.js';
import { OptedOutNumbers } from '../application/ports/opted-out-numbers.js';
import { LEASE_END, requireLease } from './sql-opt-out-sync.repository.js';

@Injectable()
export class SqlOptedOutNumbers extends OptedOutNumbers {
  constructor(private readonly database: Database) {
    super();
  }

  async recordPage(
    { accountId, leaseHolder, passId }: SyncPass,
    { numbers, nextToken, added }: { numbers: readonly string[]; nextToken: string | null; added: number },
  ): Promise<void> {
    const values = [accountId, leaseHolder, nextToken, added, numbers, passId];
    requireLease(await this.database.query(RECORD_PAGE, values));
  }

  async findMissing({ accountId, passId }: SyncPass, limit: number): Promise<string[]> {
    const missing = await this.database.query<{ number: string }>(FIND_MISSING, [accountId, passId, limit]);
    return missing.map(({ number }) => number);
  }

  async removeMissing({ accountId, passId }: SyncPass, numbers: readonly string[]): Promise<void> {
    await this.database.query(DELETE_MISSING, [accountId, passId, numbers]);
  }
}

/** Without the lease it returns no row, and the caller rolls back the inserted numbers. */
const RECORD_PAGE = `
  WITH listed AS (
    INSERT INTO sms_opted_out_numbers AS n (account_id, number, round)
    SELECT $1, number, $6 FROM unnest($5::text[]) AS number ORDER BY number
    ON CONFLICT (account_id, number) DO UPDATE SET round = excluded.round WHERE n.round <> excluded.round
    RETURNING number
  )
  UPDATE sms_opt_out_syncs
  SET lease_ends_at = ${LEASE_END}, next_token = $3, added = added + $4, total = total + (SELECT count(*) FROM listed), error = NULL
  WHERE account_id = $1 AND lease_holder = $2 RETURNING account_id`;

const FIND_MISSING = `SELECT number FROM sms_opted_out_numbers WHERE account_id = $1 AND round <> $2 LIMIT $3`;

const DELETE_MISSING = `DELETE FROM sms_opted_out_numbers WHERE account_id = $1 AND round <> $2 AND number = ANY($3)`;
