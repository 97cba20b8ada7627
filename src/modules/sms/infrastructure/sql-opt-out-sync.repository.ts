import { Injectable } from '@nestjs/common';

import { OPT_OUT_SYNC_LEASE_MS } from '../../../config/limits.js';
import {
  LeaseLostError,
  type OptOutSync,
  OptOutSyncRepository,
  type SyncPass,
  type SyncState,
} from '../application/ports/opt-out-sync.repository.js';
import { DatabaseClock } from '../../../platform/database/database-clock.js';
import { Database } from '../../../platform/database/database.js';
import { hasExpired, leaseEnd } from '../../../platform/database/lease.sql.js';
import { newId } from '../../../shared/ids.js';

export const LEASE_END = leaseEnd(OPT_OUT_SYNC_LEASE_MS);

/** The row that a statement returns only while the lease is held. */
export function requireLease<T>(rows: T[]): [T] {
  const [row] = rows;
  if (row === undefined) throw new LeaseLostError('The lease was lost');
  return [row];
}

interface Row {
  source: string;
  passId: string | null;
  nextToken: string | null;
  isLeased: boolean;
}

@Injectable()
export class SqlOptOutSyncRepository extends OptOutSyncRepository {
  constructor(
    private readonly database: Database,
    private readonly databaseClock: DatabaseClock,
  ) {
    super();
  }

  claim(accountId: string, source: string, now: Date): Promise<SyncPass | null> {
    return this.database.run(async () => {
      await this.database.query(ADD, [accountId, source]);
      const [row] = await this.database.query<Row>(LOCK, [accountId, this.databaseClock.steadyNow()]);
      if (!row || row.isLeased) return null;
      const leaseHolder = newId(now);
      if (row.source !== source) await this.database.query(DELETE_NUMBERS, [accountId]);
      if (row.source === source && row.passId !== null && row.nextToken !== null) {
        await this.database.query(RESUME, [accountId, leaseHolder]);
        return { accountId, leaseHolder, passId: row.passId, nextToken: row.nextToken };
      }
      await this.database.query(BEGIN, [accountId, leaseHolder, source]);
      return { accountId, leaseHolder, passId: leaseHolder, nextToken: null };
    });
  }

  async renew({ accountId, leaseHolder }: SyncPass): Promise<void> {
    await this.database.query(RENEW, [accountId, leaseHolder]);
  }

  async recordFailure({ accountId, leaseHolder }: SyncPass, error: string): Promise<void> {
    await this.database.query(RECORD_FAILURE, [accountId, leaseHolder, error]);
  }

  async restart({ accountId, leaseHolder }: SyncPass, now: Date): Promise<SyncPass> {
    const passId = newId(now);
    requireLease(await this.database.query(RESTART, [accountId, leaseHolder, passId]));
    return { accountId, leaseHolder, passId, nextToken: null };
  }

  async complete({ accountId, leaseHolder }: SyncPass, now: Date): Promise<OptOutSync> {
    const [sync] = requireLease(await this.database.query<OptOutSync>(COMPLETE, [accountId, leaseHolder, now]));
    return sync;
  }

  async release({ accountId, leaseHolder }: SyncPass): Promise<void> {
    await this.database.query(RELEASE, [accountId, leaseHolder]);
  }

  async get(accountId: string): Promise<OptOutSync & SyncState> {
    const [sync] = await this.database.query<OptOutSync & SyncState>(FIND, [accountId]);
    return sync ?? { added: 0, total: 0, syncedAt: null, error: null, isRunning: false, isUnfinished: false };
  }
}

const ADD = `INSERT INTO sms_opt_out_syncs (account_id, source) VALUES ($1, $2) ON CONFLICT DO NOTHING`;

/** $1 account, $2 the time if the clock of the database is steady. */
const LOCK = `
  SELECT source, round AS "passId", next_token AS "nextToken",
    lease_ends_at IS NOT NULL AND ${hasExpired('lease_ends_at', '$2')} IS NOT TRUE AS "isLeased"
  FROM sms_opt_out_syncs WHERE account_id = $1 FOR UPDATE`;

const DELETE_NUMBERS = `DELETE FROM sms_opted_out_numbers WHERE account_id = $1`;

const RESUME = `UPDATE sms_opt_out_syncs SET lease_holder = $2, lease_ends_at = ${LEASE_END} WHERE account_id = $1`;

/** The id of a pass is that of the lease which begins it. */
const BEGIN = `
  UPDATE sms_opt_out_syncs
  SET lease_holder = $2, lease_ends_at = ${LEASE_END}, source = $3, round = $2, next_token = NULL, added = 0, total = 0
  WHERE account_id = $1`;

const RENEW = `UPDATE sms_opt_out_syncs SET lease_ends_at = ${LEASE_END} WHERE account_id = $1 AND lease_holder = $2`;

const RESTART = `
  UPDATE sms_opt_out_syncs SET lease_ends_at = ${LEASE_END}, round = $3, next_token = NULL, total = 0
  WHERE account_id = $1 AND lease_holder = $2 RETURNING account_id`;

const COMPLETE = `
  UPDATE sms_opt_out_syncs SET lease_holder = NULL, lease_ends_at = NULL, next_token = NULL, synced_at = $3, error = NULL
  WHERE account_id = $1 AND lease_holder = $2 RETURNING added, total, synced_at AS "syncedAt", error`;

const RECORD_FAILURE = `UPDATE sms_opt_out_syncs SET error = $3 WHERE account_id = $1 AND lease_holder = $2`;

const RELEASE = `
  UPDATE sms_opt_out_syncs SET lease_holder = NULL, lease_ends_at = NULL WHERE account_id = $1 AND lease_holder = $2`;

const FIND = `
  SELECT added, total, synced_at AS "syncedAt", error, coalesce(lease_ends_at > clock_timestamp(), false) AS "isRunning",
    next_token IS NOT NULL AS "isUnfinished"
  FROM sms_opt_out_syncs WHERE account_id = $1`;
