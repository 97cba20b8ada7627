import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { POSTGRES_FAULTS } from '../../../platform/database/postgres-errors.js';
import { Batcher } from '../../../shared/batcher.js';
import { type SimulatedReport, SimulatedReports } from '../application/ports/simulated-reports.js';

const MAX_BATCH = 200;

@Injectable()
export class SqlSimulatedReports extends SimulatedReports {
  private readonly writes = new Batcher<readonly SimulatedReport[], null>((batch) => this.addAll(batch), {
    maxSize: MAX_BATCH,
    faults: POSTGRES_FAULTS,
  });

  constructor(private readonly database: Database) {
    super();
  }

  async add(reports: readonly SimulatedReport[]): Promise<void> {
    await this.writes.add(reports);
  }

  takeDueAcrossAccounts(now: Date, limit: number): Promise<SimulatedReport[]> {
    return this.database.query(TAKE_DUE, [now, limit]);
  }

  private async addAll(batch: readonly (readonly SimulatedReport[])[]): Promise<null[]> {
    const reports = batch.flat();
    await this.database.prepared('add_simulated_reports', ADD, [
      reports.map(({ messageId }) => messageId),
      reports.map(({ report }) => report),
      reports.map(({ accountId }) => accountId),
      reports.map(({ channel }) => channel),
      reports.map(({ dueAt }) => dueAt),
    ]);
    return batch.map(() => null);
  }
}

/** Sorted, so that two calls with the same reports lock them in the same order. */
const ADD = `
  INSERT INTO simulated_reports (message_id, report, account_id, channel, due_at)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[])
    AS r (message_id, report, account_id, channel, due_at)
  ORDER BY message_id, report
  ON CONFLICT DO NOTHING`;

/** $1 now, $2 the limit. */
const TAKE_DUE = `
  WITH due AS (
    SELECT message_id, report FROM simulated_reports WHERE due_at <= $1 ORDER BY due_at LIMIT $2
    FOR UPDATE SKIP LOCKED
  ), taken AS (
    DELETE FROM simulated_reports r USING due d WHERE r.message_id = d.message_id AND r.report = d.report
    RETURNING r.message_id AS "messageId", r.account_id AS "accountId", r.channel, r.report, r.due_at AS "dueAt"
  )
  SELECT * FROM taken ORDER BY "dueAt", "messageId"`;
