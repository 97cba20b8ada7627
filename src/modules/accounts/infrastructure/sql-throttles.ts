import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { type ThrottleSubject, Throttles } from '../application/ports/throttles.js';

@Injectable()
export class SqlThrottles extends Throttles {
  constructor(private readonly database: Database) {
    super();
  }

  async count(
    { kind, value }: ThrottleSubject,
    now: Date,
    newWindowEndsAt: Date,
  ): Promise<{ attempts: number; windowEndsAt: Date }> {
    const times = [now, newWindowEndsAt];
    const [counted] = await this.database.query<{ attempts: number; windowEndsAt: Date }>(
      kind === 'address' ? COUNT_ADDRESS : COUNT_CLIENT,
      kind === 'address' ? [value, ...times] : [value, ...times, kind],
    );
    if (!counted) throw new Error('An attempt was not counted');
    return counted;
  }

  async refund({ kind, value }: ThrottleSubject, windowEndsAt: Date): Promise<void> {
    const [table, where] = rowOf(kind);
    await this.database.query(
      `UPDATE ${table} SET failures = failures - 1 WHERE ${where} AND window_ends_at = $2 AND failures > 0`,
      [value, windowEndsAt],
    );
  }

  async clear({ kind, value }: ThrottleSubject): Promise<void> {
    const [table, where] = rowOf(kind);
    await this.database.query(`DELETE FROM ${table} WHERE ${where}`, [value]);
  }

  async removeEnded(now: Date): Promise<void> {
    for (const table of ['login_throttles', 'login_client_throttles'])
      await this.database.deleteInBatches(table, 'window_ends_at <= $1', [now]);
  }
}

/** Selects the row of the subject with the value $1. */
const rowOf = (kind: ThrottleSubject['kind']): [table: string, where: string] =>
  kind === 'address'
    ? ['login_throttles', 'address = $1']
    : ['login_client_throttles', `kind = '${kind}' AND subject = $1`];

const COUNT_AGAIN = `
    failures = CASE WHEN t.window_ends_at <= $2 THEN 1 ELSE t.failures + 1 END,
    window_ends_at = CASE WHEN t.window_ends_at <= $2 THEN $3 ELSE t.window_ends_at END
  RETURNING failures AS attempts, window_ends_at AS "windowEndsAt"`;

const COUNT_ADDRESS = `
  INSERT INTO login_throttles AS t (address, failures, window_ends_at) VALUES ($1, 1, $3)
  ON CONFLICT (address) DO UPDATE SET ${COUNT_AGAIN}`;

const COUNT_CLIENT = `
  INSERT INTO login_client_throttles AS t (kind, subject, failures, window_ends_at) VALUES ($4, $1, 1, $3)
  ON CONFLICT (kind, subject) DO UPDATE SET ${COUNT_AGAIN}`;
