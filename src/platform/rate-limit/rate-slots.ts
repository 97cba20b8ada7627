import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';

interface SlotRequest {
  count: number;
  /** The time between two slots. */
  intervalMs: number;
  /** Only slots that begin within this time are reserved; without it, any. */
  aheadMs?: number;
}

export interface ReservedSlots {
  /** The number of slots that were reserved; may be fewer than requested, even none. */
  count: number;
  /** The time until the first slot begins. */
  waitMs: number;
}

/**
 * Rate limits shared by all processes: a leaky bucket for each key, stored as the time of its next free slot. The
 * database's clock is used, so the clocks of the processes need not agree.
 */
@Injectable()
export class RateSlots {
  constructor(private readonly database: Database) {}

  /** Reserves consecutive slots. */
  async reserve(key: string, { count, intervalMs, aheadMs = Infinity }: SlotRequest): Promise<ReservedSlots> {
    const values = [key, count, intervalMs, aheadMs];
    for (;;) {
      const [reserved] = await this.database.query<ReservedSlots>(RESERVE, values);
      if (reserved) return reserved;
      await this.database.query(ADD_KEY, [key]);
    }
  }

  /** Leaves no free slot within the next `ms`. */
  async block(key: string, ms: number): Promise<void> {
    await this.database.query(BLOCK, [key, ms]);
  }
}

/** A slot further ahead than callers reserve or block shows that the clock of the database was set back. */
const MAX_AHEAD = `interval '10 seconds'`;

/** $1 key, $2 slots requested, $3 milliseconds between two slots, $4 milliseconds within which slots must begin. */
const RESERVE = `
  WITH next_slot AS (
    SELECT CASE WHEN next_at > clock_timestamp() + ${MAX_AHEAD} + $3::float8 * interval '1 millisecond' THEN clock_timestamp()
      ELSE greatest(next_at, clock_timestamp()) END AS at
    FROM sending_slots WHERE subject = $1 FOR UPDATE
  ), waiting AS (
    SELECT at, extract(epoch FROM at - clock_timestamp())::float8 * 1000 AS wait FROM next_slot
  ), reserved AS (
    SELECT at, greatest(wait, 0) AS wait, CASE WHEN wait > $4::float8 THEN 0 WHEN $3::float8 = 0 THEN $2::integer
      ELSE least($2::integer, floor(($4::float8 - wait) / $3::float8) + 1)::integer END AS count
    FROM waiting
  )
  UPDATE sending_slots s SET next_at = r.at + r.count * $3::float8 * interval '1 millisecond'
  FROM reserved r WHERE s.subject = $1
  RETURNING r.count, r.wait AS "waitMs"`;

const ADD_KEY = `INSERT INTO sending_slots (subject, next_at) VALUES ($1, '-infinity') ON CONFLICT DO NOTHING`;

const BLOCK = `
  UPDATE sending_slots SET next_at = greatest(next_at, clock_timestamp() + $2::float8 * interval '1 millisecond')
  WHERE subject = $1`;
