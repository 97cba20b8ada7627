import { Injectable } from '@nestjs/common';

import { Batcher } from '../../../../concurrency/batcher.js';
import { unnestParameters } from '../../../../platform/database/list-parameter.sql.js';
import { POSTGRES_FAULTS } from '../../../../platform/database/postgres-errors.js';
import { Database } from '../../../../platform/database/database.js';
import { Clock } from '../../../../shared/ports/clock.js';
import { DailyUsage } from '../../application/ports/daily-usage.js';
import { capDay, type CapUsage, reachedCap, USAGE_KEPT_DAYS } from '../../domain/daily-caps.js';
import { CachedDailyUsage, type Subject, type Used } from './cached-daily-usage.js';

@Injectable()
export class SqlDailyUsage extends DailyUsage {
  private readonly lookUps = new Batcher<Subject, Used>((subjects) => this.findAll(subjects), {
    faults: POSTGRES_FAULTS,
  });

  constructor(
    private readonly database: Database,
    private readonly cached: CachedDailyUsage,
    private readonly clock: Clock,
  ) {
    super();
  }

  async get(accountId: string, apiKeyId: string, keyLimit: number | null): Promise<CapUsage> {
    return { ...(await this.lookUps.add({ accountId, apiKeyId })), keyLimit };
  }

  async getRecent(accountId: string, apiKeyId: string, keyLimit: number | null): Promise<CapUsage> {
    const used = this.cached.find({ accountId, apiKeyId }, capDay(this.clock.now()));
    const usage = used && { ...used, keyLimit };
    return usage && reachedCap(usage) === null ? usage : this.get(accountId, apiKeyId, keyLimit);
  }

  async purgeOldDaysAcrossAccounts(): Promise<void> {
    await this.database.deleteInBatches('daily_usage', 'day < $1::date - $2::integer', [
      capDay(this.clock.now()),
      USAGE_KEPT_DAYS,
    ]);
  }

  private async findAll(subjects: Subject[]): Promise<Used[]> {
    const byKey = new Map(subjects.map((subject) => [subject.apiKeyId, subject]));
    const rows = await this.database.prepared<Used & { apiKeyId: string }>('find_usage', FIND, [
      [...byKey.values()].map(({ accountId }) => accountId),
      [...byKey.keys()],
      capDay(this.clock.now()),
    ]);
    const used = new Map(rows.map(({ apiKeyId, ...usage }) => [apiKeyId, usage]));
    return subjects.map(({ apiKeyId }) => used.get(apiKeyId) ?? NO_ACCOUNT);
  }
}

/** A deleted account may send nothing. */
const NO_ACCOUNT: Used = { accountCap: 0, accountUsed: 0, keyUsed: 0, testBytes: 0 };

const FIND = `
  SELECT s.api_key_id AS "apiKeyId", a.daily_send_cap AS "accountCap",
    coalesce(ua.used, 0) AS "accountUsed", coalesce(uk.used, 0) AS "keyUsed",
    coalesce(ua.test_bytes, 0)::float8 AS "testBytes"
  FROM ${unnestParameters('text', 'text')} AS s (account_id, api_key_id)
  JOIN accounts a ON a.id = s.account_id
  LEFT JOIN daily_usage ua ON ua.subject_id = s.account_id AND ua.day = $3
  LEFT JOIN daily_usage uk ON uk.subject_id = s.api_key_id AND uk.day = $3`;
