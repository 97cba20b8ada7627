import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { newId } from '../../../shared/ids.js';
import {
  LeaseLostError,
  OptOutProgress,
  type OptOutReading,
  type OptOutReadingState,
  type OptOutSync,
} from '../application/ports/opt-out-progress.js';

/** Longer than a page takes, with the time in which a request is given up. */
const LEASE_MS = 3 * 60_000;

interface Row {
  source: string;
  round: string | null;
  nextToken: string | null;
  leaseEndsAt: Date | null;
}

@Injectable()
export class SqlOptOutProgress extends OptOutProgress {
  constructor(private readonly database: Database) {
    super();
  }

  begin(accountId: string, source: string, now: Date): Promise<OptOutReading | null> {
    return this.database.run(async () => {
      await this.database.query(ADD, [accountId, source]);
      const [row] = await this.database.query<Row>(LOCK, [accountId]);
      if (!row || (row.leaseEndsAt && row.leaseEndsAt > now)) return null;
      const holder = newId(now);
      if (row.source !== source) await this.database.query(FORGET_LIST, [accountId]);
      if (row.source === source && row.round !== null && row.nextToken !== null) {
        await this.database.query(RESUME, [accountId, holder, leaseFrom(now)]);
        return { accountId, holder, round: row.round, nextToken: row.nextToken };
      }
      await this.database.query(BEGIN, [accountId, holder, leaseFrom(now), source]);
      return { accountId, holder, round: holder, nextToken: null };
    });
  }

  async recordPage(
    { accountId, holder, round }: OptOutReading,
    { numbers, nextToken, added }: { numbers: readonly string[]; nextToken: string | null; added: number },
    now: Date,
  ): Promise<void> {
    const values = [accountId, holder, leaseFrom(now), nextToken, added, numbers, round];
    requireLease(await this.database.query(RECORD_PAGE, values));
  }

  async recordFailure({ accountId, holder }: OptOutReading, error: string): Promise<void> {
    await this.database.query(RECORD_FAILURE, [accountId, holder, error]);
  }

  async restart({ accountId, holder }: OptOutReading, now: Date): Promise<OptOutReading> {
    const round = newId(now);
    requireLease(await this.database.query(RESTART, [accountId, holder, leaseFrom(now), round]));
    return { accountId, holder, round, nextToken: null };
  }

  async findMissing({ accountId, round }: OptOutReading, limit: number): Promise<string[]> {
    const missing = await this.database.query<{ number: string }>(FIND_MISSING, [accountId, round, limit]);
    return missing.map(({ number }) => number);
  }

  async forget({ accountId, round }: OptOutReading, numbers: readonly string[]): Promise<void> {
    await this.database.query(FORGET, [accountId, round, numbers]);
  }

  async complete({ accountId, holder }: OptOutReading, now: Date): Promise<OptOutSync> {
    const [sync] = requireLease(await this.database.query<OptOutSync>(COMPLETE, [accountId, holder, now]));
    return sync;
  }

  async leave({ accountId, holder }: OptOutReading): Promise<void> {
    await this.database.query(LEAVE, [accountId, holder]);
  }

  async find(accountId: string, now: Date): Promise<OptOutSync & OptOutReadingState> {
    const [sync] = await this.database.query<OptOutSync & OptOutReadingState>(FIND, [accountId, now]);
    return sync ?? { added: 0, total: 0, syncedAt: null, error: null, isBeingRead: false, isUnfinished: false };
  }
}

const leaseFrom = (now: Date): Date => new Date(now.getTime() + LEASE_MS);

function requireLease<T>(rows: T[]): [T] {
  const [row] = rows;
  if (row === undefined) throw new LeaseLostError('The lease was lost');
  return [row];
}

const ADD = `INSERT INTO sms_opt_out_syncs (account_id, source) VALUES ($1, $2) ON CONFLICT DO NOTHING`;

const LOCK = `
  SELECT source, round, next_token AS "nextToken", lease_ends_at AS "leaseEndsAt"
  FROM sms_opt_out_syncs WHERE account_id = $1 FOR UPDATE`;

const FORGET_LIST = `DELETE FROM sms_opted_out_numbers WHERE account_id = $1`;

const RESUME = `UPDATE sms_opt_out_syncs SET lease_holder = $2, lease_ends_at = $3 WHERE account_id = $1`;

/** A round is named after who begins it. */
const BEGIN = `
  UPDATE sms_opt_out_syncs
  SET lease_holder = $2, lease_ends_at = $3, source = $4, round = $2, next_token = NULL, added = 0, total = 0
  WHERE account_id = $1`;

/** Who holds the lease no longer changes nothing: the caller rolls back what the statement wrote. */
const RECORD_PAGE = `
  WITH listed AS (
    INSERT INTO sms_opted_out_numbers AS n (account_id, number, round)
    SELECT $1, number, $7 FROM unnest($6::text[]) AS number ORDER BY number
    ON CONFLICT (account_id, number) DO UPDATE SET round = excluded.round WHERE n.round <> excluded.round
    RETURNING number
  )
  UPDATE sms_opt_out_syncs
  SET lease_ends_at = $3, next_token = $4, added = added + $5, total = total + (SELECT count(*) FROM listed), error = NULL
  WHERE account_id = $1 AND lease_holder = $2 RETURNING account_id`;

const RESTART = `
  UPDATE sms_opt_out_syncs SET lease_ends_at = $3, round = $4, next_token = NULL, total = 0
  WHERE account_id = $1 AND lease_holder = $2 RETURNING account_id`;

const COMPLETE = `
  UPDATE sms_opt_out_syncs SET lease_holder = NULL, lease_ends_at = NULL, next_token = NULL, synced_at = $3, error = NULL
  WHERE account_id = $1 AND lease_holder = $2 RETURNING added, total, synced_at AS "syncedAt", error`;

const RECORD_FAILURE = `UPDATE sms_opt_out_syncs SET error = $3 WHERE account_id = $1 AND lease_holder = $2`;

const FIND_MISSING = `SELECT number FROM sms_opted_out_numbers WHERE account_id = $1 AND round <> $2 LIMIT $3`;

const FORGET = `DELETE FROM sms_opted_out_numbers WHERE account_id = $1 AND round <> $2 AND number = ANY($3)`;

const LEAVE = `
  UPDATE sms_opt_out_syncs SET lease_holder = NULL, lease_ends_at = NULL WHERE account_id = $1 AND lease_holder = $2`;

const FIND = `
  SELECT added, total, synced_at AS "syncedAt", error, coalesce(lease_ends_at > $2, false) AS "isBeingRead",
    next_token IS NOT NULL AS "isUnfinished"
  FROM sms_opt_out_syncs WHERE account_id = $1`;
