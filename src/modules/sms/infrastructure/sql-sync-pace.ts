import { Injectable } from '@nestjs/common';

import { Config } from '../../../config/config.js';
import { Database } from '../../../platform/database/database.js';
import { SyncPace } from '../application/ports/sync-pace.js';

/** SNS answers five times as many questions about a number in a second as requests for a page (50 and 10). */
const NUMBERS_PER_PAGE = 5;

/** The turns stand beside those of sending, under subjects of their own. The clock is the database's. */
@Injectable()
export class SqlSyncPace extends SyncPace {
  readonly msPerPage: number;

  constructor(
    private readonly database: Database,
    config: Config,
  ) {
    super();
    this.msPerPage = 1_000 / config.smsSyncPagesPerSecond;
  }

  async takeTurn(source: string, subject: 'page' | 'number'): Promise<number> {
    const ms = subject === 'page' ? this.msPerPage : this.msPerPage / NUMBERS_PER_PAGE;
    const values = [`sns opt-outs ${source}`, ms];
    const [turn] = await this.database.query<{ waitMs: number }>(TAKE_TURN, values);
    return turn?.waitMs ?? 0;
  }
}

/** $1 whose turn, $2 milliseconds until the one after it. */
const TAKE_TURN = `
  INSERT INTO sending_slots AS s (subject, next_at) VALUES ($1, clock_timestamp() + $2::float8 * interval '1 millisecond')
  ON CONFLICT (subject) DO UPDATE
  SET next_at = greatest(s.next_at, clock_timestamp()) + $2::float8 * interval '1 millisecond'
  RETURNING extract(epoch FROM s.next_at - clock_timestamp())::float8 * 1000 - $2::float8 AS "waitMs"`;
