import { setTimeout as pause } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import type { Channel } from '../../../shared/channel.js';
import { SendingRate } from '../application/ports/sending-rate.js';
import { SendingLimits } from './sending-limits.js';

/** Turns are taken this far ahead: a worker that dies wastes few, and one that starts soon gets its share. */
const AHEAD_MS = 500;
const LEAST_PAUSE_MS = 10;
/** The rest is left free: turns that begin a little late must not make more than the limit of any second. */
const USED_SHARE = 0.97;
const SLOWED_DOWN_MS = 1_000;

interface Turn {
  accountId: string;
  channel: Channel;
  stopping: AbortSignal;
  resolve: (isTurn: boolean | Promise<boolean>) => void;
  reject: (error: unknown) => void;
}

/**
 * A leaky bucket for each limit in PostgreSQL: the time of its next free turn. A worker takes turns for all its waiting
 * messages in one statement and lets each begin at its time. The clock is the database's, so the workers' need not agree.
 */
@Injectable()
export class SqlSendingRate extends SendingRate {
  private readonly lines = new Map<string, Turn[]>();

  constructor(
    private readonly database: Database,
    private readonly limits: SendingLimits,
  ) {
    super();
  }

  async takeTurn(accountId: string, channel: Channel, stopping: AbortSignal): Promise<boolean> {
    const limit = await this.limits.find(accountId, channel);
    if (limit === null) return !stopping.aborted;
    return new Promise((resolve, reject) => {
      const turn = { accountId, channel, stopping, resolve, reject };
      const line = this.lines.get(limit.subject);
      if (line) line.push(turn);
      else void this.serve(limit.subject, [turn]);
    });
  }

  async slowDown(accountId: string, channel: Channel): Promise<void> {
    const limit = await this.limits.find(accountId, channel);
    if (limit) await this.database.query(SLOW_DOWN, [limit.subject, SLOWED_DOWN_MS]);
  }

  /** Until nobody waits. */
  private async serve(subject: string, line: Turn[]): Promise<void> {
    this.lines.set(subject, line);
    while (line.length > 0) {
      try {
        if (line[0]?.stopping.aborted) line.shift()?.resolve(false);
        else await pause(await this.begin(subject, line));
      } catch (error) {
        for (const { reject } of line.splice(0)) reject(error);
      }
    }
    this.lines.delete(subject);
  }

  /** Lets those begin, each at its time, for whom there are turns; says after how many milliseconds to come back for the others. */
  private async begin(subject: string, line: Turn[]): Promise<number> {
    const limit = line[0] ? await this.limits.find(line[0].accountId, line[0].channel) : null;
    const stepMs = limit?.subject === subject ? 1_000 / (limit.rate * USED_SHARE) : 0;
    const { turns, waitMs } = await this.reserve(subject, line.length, stepMs);
    line.splice(0, turns).forEach(({ resolve, stopping }, i) => {
      resolve(beginsIn(waitMs + i * stepMs, stopping));
    });
    if (line.length === 0) return 0;
    const nextInMs = waitMs + turns * stepMs;
    return Math.max(LEAST_PAUSE_MS, Math.min(nextInMs - AHEAD_MS / 2, AHEAD_MS));
  }

  private async reserve(subject: string, count: number, stepMs: number): Promise<{ turns: number; waitMs: number }> {
    const values = [subject, count, stepMs, AHEAD_MS];
    for (;;) {
      const [reserved] = await this.database.query<{ turns: number; waitMs: number }>(RESERVE, values);
      if (reserved) return reserved;
      await this.database.query(START, [subject]);
    }
  }
}

const beginsIn = (ms: number, stopping: AbortSignal): Promise<boolean> =>
  pause(ms, undefined, { signal: stopping }).then(
    () => true,
    () => false,
  );

/** $1 whose limit, $2 how many turns are wanted, $3 milliseconds between two, $4 how far ahead they may begin. */
const RESERVE = `
  WITH slot AS (
    SELECT greatest(next_at, clock_timestamp()) AS at FROM sending_slots WHERE subject = $1 FOR UPDATE
  ), free AS (
    SELECT at, extract(epoch FROM at - clock_timestamp())::float8 * 1000 AS wait FROM slot
  ), reserved AS (
    SELECT at, greatest(wait, 0) AS wait, CASE WHEN wait > $4::float8 THEN 0 WHEN $3::float8 = 0 THEN $2::integer
      ELSE least($2::integer, floor(($4::float8 - wait) / $3::float8) + 1)::integer END AS turns
    FROM free
  )
  UPDATE sending_slots s SET next_at = r.at + r.turns * $3::float8 * interval '1 millisecond'
  FROM reserved r WHERE s.subject = $1
  RETURNING r.turns, r.wait AS "waitMs"`;

const START = `INSERT INTO sending_slots (subject, next_at) VALUES ($1, '-infinity') ON CONFLICT DO NOTHING`;

const SLOW_DOWN = `
  UPDATE sending_slots SET next_at = greatest(next_at, clock_timestamp() + $2::float8 * interval '1 millisecond') WHERE subject = $1`;
