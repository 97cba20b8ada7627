import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { unnestParameters } from '../../../platform/database/list-parameter.sql.js';
import { POSTGRES_FAULTS } from '../../../platform/database/postgres-errors.js';
import { Batcher } from '../../../concurrency/batcher.js';
import { type SimulatedReport, SimulatedReports } from '../../../providers/index.js';

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

  listDueAcrossAccounts(now: Date, except: readonly string[], limit: number): Promise<SimulatedReport[]> {
    return this.database.query(LIST_DUE, [now, except, limit]);
  }

  take(reports: readonly SimulatedReport[]): Promise<SimulatedReport[]> {
    return this.database.query(TAKE, [reports.map(({ messageId }) => messageId), reports.map(({ report }) => report)]);
  }

  async postpone({ messageId, report }: SimulatedReport, until: Date, maxTimes: number): Promise<boolean> {
    const removed = await this.database.query(REMOVE_POSTPONED, [messageId, report, maxTimes]);
    if (removed.length > 0) return false;
    await this.database.query(POSTPONE, [messageId, report, until]);
    return true;
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
  SELECT * FROM ${unnestParameters('text', 'text', 'text', 'text', 'timestamptz')}
    AS r (message_id, report, account_id, channel, due_at)
  ORDER BY message_id, report
  ON CONFLICT DO NOTHING`;

const COLUMNS = `r.message_id AS "messageId", r.account_id AS "accountId", r.channel, r.report, r.due_at AS "dueAt"`;

/** $1 now, $2 accounts to leave out, $3 the limit. */
const LIST_DUE = `
  SELECT ${COLUMNS} FROM simulated_reports r WHERE due_at <= $1 AND account_id <> ALL ($2)
  ORDER BY due_at, message_id LIMIT $3`;

/** $1 message ids, $2 their reports. */
const TAKE = `
  WITH wanted AS (
    SELECT r.message_id, r.report FROM simulated_reports r
    JOIN unnest($1::text[], $2::text[]) AS w (message_id, report)
      ON r.message_id = w.message_id AND r.report = w.report
    FOR UPDATE OF r SKIP LOCKED
  ), taken AS (
    DELETE FROM simulated_reports r USING wanted w WHERE r.message_id = w.message_id AND r.report = w.report
    RETURNING ${COLUMNS}
  )
  SELECT * FROM taken ORDER BY "dueAt", "messageId"`;

/** $1 message id, $2 report, $3 how often it may be postponed. */
const REMOVE_POSTPONED = `
  DELETE FROM simulated_reports WHERE message_id = $1 AND report = $2 AND postponed >= $3 RETURNING message_id`;

/** $1 message id, $2 report, $3 when it becomes due. */
const POSTPONE = `
  UPDATE simulated_reports SET due_at = $3, postponed = postponed + 1 WHERE message_id = $1 AND report = $2`;
