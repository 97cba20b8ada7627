import { Injectable } from '@nestjs/common';

import { Batcher } from '../../../platform/batching/batcher.js';
import { Database } from '../../../platform/database/database.js';
import { DailyUsage } from '../application/ports/daily-usage.js';
import { capDay, type CapRequest, type CapUsage, judge } from '../domain/daily-caps.js';

interface Counter {
  subjectId: string;
  used: number;
  /** Of an account; null for a key. */
  cap: number | null;
}

@Injectable()
export class SqlDailyUsage extends DailyUsage {
  private readonly lookUps = new Batcher<{ request: CapRequest; now: Date }, CapUsage>((inputs) =>
    this.findAll(inputs),
  );

  constructor(private readonly database: Database) {
    super();
  }

  find(request: CapRequest, now: Date): Promise<CapUsage> {
    return this.lookUps.add({ request, now });
  }

  async reserve(requests: readonly CapRequest[], now: Date): Promise<CapUsage[]> {
    const day = capDay(now);
    const counters = await this.lock(subjectsOf(requests), day);
    const added = new Map<string, number>();
    const before = requests.map((request) => {
      const usage = usageOf(request, counters);
      if (judge(usage) === 'room') {
        for (const subject of subjectsOf([request])) {
          counters.get(subject)!.used += 1;
          added.set(subject, (added.get(subject) ?? 0) + 1);
        }
      }
      return usage;
    });
    if (added.size > 0) await this.database.prepared('add_usage', ADD, [[...added.keys()], [...added.values()], day]);
    return before;
  }

  /** The first message of the day finds no counter to lock and makes it. */
  private async lock(subjects: string[], day: string): Promise<Map<string, Counter>> {
    for (;;) {
      const rows = await this.database.prepared<Counter>('lock_usage', LOCK, [subjects, day]);
      if (rows.length === subjects.length) return new Map(rows.map((row) => [row.subjectId, row]));
      await this.database.prepared('start_usage', START, [subjects, day]);
    }
  }

  private async findAll(inputs: { request: CapRequest; now: Date }[]): Promise<CapUsage[]> {
    const subjects = subjectsOf(inputs.map(({ request }) => request));
    const days = [...new Set(inputs.map(({ now }) => capDay(now)))];
    const rows = await this.database.prepared<Counter & { day: string }>('find_usage', FIND, [subjects, days]);
    const byDay = new Map(days.map((day) => [day, new Map<string, Counter>()]));
    for (const row of rows) byDay.get(row.day)?.set(row.subjectId, row);
    return inputs.map(({ request, now }) => usageOf(request, byDay.get(capDay(now))!));
  }
}

/** Sorted, so that transactions lock them in one order. */
const subjectsOf = (requests: readonly CapRequest[]): string[] =>
  [
    ...new Set(
      requests.flatMap(({ accountId, apiKeyId }) => (apiKeyId === null ? [accountId] : [accountId, apiKeyId])),
    ),
  ].sort();

function usageOf({ accountId, apiKeyId, keyLimit }: CapRequest, counters: ReadonlyMap<string, Counter>): CapUsage {
  const account = counters.get(accountId);
  return {
    accountCap: account?.cap ?? 0,
    accountUsed: account?.used ?? 0,
    keyLimit,
    keyUsed: apiKeyId === null ? 0 : (counters.get(apiKeyId)?.used ?? 0),
  };
}

const LOCK = `
  SELECT u.subject_id AS "subjectId", u.used, a.daily_send_cap AS cap
  FROM daily_usage u LEFT JOIN accounts a ON a.id = u.subject_id
  WHERE u.subject_id = ANY($1) AND u.day = $2
  ORDER BY u.subject_id
  FOR UPDATE OF u`;

const START = `
  INSERT INTO daily_usage (subject_id, day, used) SELECT subject, $2, 0 FROM unnest($1::text[]) AS subject
  ON CONFLICT DO NOTHING`;

const ADD = `
  UPDATE daily_usage u SET used = u.used + added.count
  FROM unnest($1::text[], $2::integer[]) AS added(subject_id, count)
  WHERE u.subject_id = added.subject_id AND u.day = $3`;

/** Accounts are found without a counter too, for their cap. */
const FIND = `
  SELECT subject AS "subjectId", d.day::text, coalesce(u.used, 0) AS used, a.daily_send_cap AS cap
  FROM unnest($1::text[]) AS subject CROSS JOIN unnest($2::date[]) AS d(day)
  LEFT JOIN daily_usage u ON u.subject_id = subject AND u.day = d.day
  LEFT JOIN accounts a ON a.id = subject`;
