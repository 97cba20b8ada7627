import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';

interface SlotRequest {
  count: number;
  /** The time between two slots. */
  intervalMs: number;
  /** Only slots that begin within this time are reserved; without it, any. */
  aheadMs?: number;
  /** Whether the longest interval of such requests holds for all of them, until a second after its last slot. */
  isShared?: boolean;
}

export interface ReservedSlots {
  /** The number of slots that were reserved; may be fewer than requested, even none. */
  count: number;
  /** The time until the first slot begins. */
  waitMs: number;
  /** The time between two slots, which a shared one may have made longer. */
  intervalMs: number;
}

/**
 * Rate limits shared by all processes: a leaky bucket for each key, stored as the time of its next free slot. The
 * database's clock is used, so the clocks of the processes need not agree.
 */
@Injectable()
export class RateSlots {
  constructor(private readonly database: Database) {}

  /** Reserves consecutive slots. */
  async reserve(key: string, request: SlotRequest): Promise<ReservedSlots> {
    const { count, intervalMs, aheadMs = Infinity, isShared = false } = request;
    const values = [key, count, intervalMs, aheadMs, isShared];
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

const MS = `interval '1 millisecond'`;

/**
 * $1 key, $2 slots requested, $3 milliseconds between two slots, $4 milliseconds within which slots must begin, $5
 * whether the interval is shared.
 */
const RESERVE = `
  WITH slot AS (
    SELECT next_at, CASE
      WHEN $5 AND interval_until BETWEEN clock_timestamp() AND clock_timestamp() + ${MAX_AHEAD} + interval_ms * ${MS}
        THEN greatest($3::float8, interval_ms)
      ELSE $3::float8 END AS every
    FROM sending_slots WHERE subject = $1 FOR UPDATE
  ), next_slot AS (
    SELECT every, CASE WHEN next_at > clock_timestamp() + ${MAX_AHEAD} + every * ${MS} THEN clock_timestamp()
      ELSE greatest(next_at, clock_timestamp()) END AS at
    FROM slot
  ), waiting AS (
    SELECT every, at, extract(epoch FROM at - clock_timestamp())::float8 * 1000 AS wait FROM next_slot
  ), reserved AS (
    SELECT every, at, greatest(wait, 0) AS wait, CASE WHEN wait > $4::float8 THEN 0 WHEN every = 0 THEN $2::integer
      ELSE least($2::integer, floor(($4::float8 - wait) / every) + 1)::integer END AS count
    FROM waiting
  ), used AS (
    SELECT *, at + count * every * ${MS} AS next_at, $5 AND every = $3::float8 AS is_longest FROM reserved
  )
  UPDATE sending_slots s SET next_at = u.next_at,
    interval_ms = CASE WHEN u.is_longest THEN u.every ELSE s.interval_ms END,
    interval_until = CASE WHEN u.is_longest THEN u.next_at + interval '1 second' ELSE s.interval_until END
  FROM used u WHERE s.subject = $1
  RETURNING u.count, u.wait AS "waitMs", u.every AS "intervalMs"`;

const ADD_KEY = `INSERT INTO sending_slots (subject, next_at) VALUES ($1, '-infinity') ON CONFLICT DO NOTHING`;

const BLOCK = `
  UPDATE sending_slots SET next_at = greatest(next_at, clock_timestamp() + $2::float8 * interval '1 millisecond')
  WHERE subject = $1`;
