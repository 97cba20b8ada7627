import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';

import { Clock } from '../../shared/ports/clock.js';
import { Database } from './database.js';

const SYNCHRONISE_EVERY_MS = 10_000;
/** The error is up to half the round trip, so slower answers are not used. */
const MAX_ROUND_TRIP_MS = 500;
const TRIES = 3;
/** A larger shift between the wall clock and the monotonic clock means that one was set or the machine was paused. */
const JUMP_MS = 500;

/**
 * The clock of the database, which all processes share. It is read at start and every ten seconds, and advanced by the
 * monotonic clock of the host in between; the wall clock of the host is not used. So the times that one process writes
 * (a lease, a due time, the end of a window) mean the same to all others, even if the clocks of their hosts are wrong.
 */
@Injectable()
export class DatabaseClock extends Clock implements OnApplicationShutdown {
  private readonly logger = new Logger(DatabaseClock.name);
  private offsetMs = Date.now() - performance.now();
  private hostOffsetMs = this.offsetMs;
  private synchronising: Promise<boolean> | null = null;
  private catchingUp: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;

  private constructor(private readonly database: Database) {
    super();
  }

  /** Creates a synchronised clock. Rejects if the database does not answer. */
  static async start(database: Database): Promise<DatabaseClock> {
    const clock = new DatabaseClock(database);
    await clock.readUntilKnown();
    clock.timer = setInterval(() => void clock.synchronise(), SYNCHRONISE_EVERY_MS).unref();
    return clock;
  }

  now(): Date {
    if (this.hasHostJumped) void this.synchronise();
    return new Date(performance.now() + this.offsetMs);
  }

  override async catchUp(): Promise<void> {
    if (!this.hasHostJumped) return;
    this.catchingUp ??= this.readUntilKnown().finally(() => (this.catchingUp = null));
    await this.catchingUp;
  }

  /** Returns whether the time was read. If the database is out of reach, the clock continues unchanged. */
  synchronise(): Promise<boolean> {
    this.synchronising ??= this.read(MAX_ROUND_TRIP_MS)
      .catch((error: unknown) => {
        this.logger.warn(`The time of the database was not read: ${(error as Error).message}`);
        return false;
      })
      .finally(() => (this.synchronising = null));
    return this.synchronising;
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private get hasHostJumped(): boolean {
    return Math.abs(Date.now() - performance.now() - this.hostOffsetMs) > JUMP_MS;
  }

  /** Accepts a slow answer as a last resort. */
  private async readUntilKnown(): Promise<void> {
    for (let tried = 1; !(await this.read(tried === TRIES ? Infinity : MAX_ROUND_TRIP_MS)); tried++);
  }

  private async read(maxRoundTripMs: number): Promise<boolean> {
    const before = performance.now();
    const databaseMs = await this.database.readClockMs();
    const after = performance.now();
    if (after - before > maxRoundTripMs) return false;
    this.offsetMs = databaseMs - (before + after) / 2;
    this.hostOffsetMs = Date.now() - after;
    return true;
  }
}
