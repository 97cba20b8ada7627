import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';

import { Clock } from '../../shared/ports/clock.js';
import { Database } from './database.js';

const SYNCHRONISE_EVERY_MS = 10_000;
/** A start reads again after a larger error, and a warning is logged. */
const MAX_ERROR_MS = 250;
const TRIES = 3;
/** The maximum drift between two clocks: each may be slewed by 500 ppm. */
const DRIFT = 0.001;
/** A larger change means that the clock of the database was set, or that another server has taken over. */
const STEP_MS = 2_000;
/** Longer than any lease: each holder has renewed by then, or has lost its own. */
const UNSTEADY_MS = 45_000;
/** A larger shift between the wall clock and the monotonic clock means that one was set or the machine was paused. */
const JUMP_MS = 500;

/**
 * The clock of the database, which all processes share. It is read at start and every ten seconds, and advanced by the
 * monotonic clock of the host in between; the wall clock of the host is not used. So the times that one process writes
 * (a lease, a due time, the end of a window) mean the same to all others, even if the clocks of their hosts are wrong.
 *
 * The error of a reading is up to half its round trip, and grows with the drift. A reading that contradicts the last
 * one replaces it, however long it took; one that agrees does so only if it is more precise. So slow answers do not
 * make the clock worse, and still show that the clock of the database was set.
 */
@Injectable()
export class DatabaseClock extends Clock implements OnApplicationShutdown {
  private readonly logger = new Logger(DatabaseClock.name);
  private offsetMs = Date.now() - performance.now();
  private hostOffsetMs = this.offsetMs;
  private synchronising: Promise<boolean> | null = null;
  private catchingUp: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;
  /** The maximum error of the offset when it was read. */
  private readErrorMs = Infinity;
  private readAt = 0;
  private isImprecise = false;
  private steppedAt = -Infinity;

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

  /**
   * The time, or null for a while after the clock of the database was set: then leases may seem to have expired that
   * somebody holds.
   */
  steadyNow(): Date | null {
    const now = this.now();
    return performance.now() - this.steppedAt < UNSTEADY_MS ? null : now;
  }

  override async catchUp(): Promise<void> {
    if (!this.hasHostJumped) return;
    this.catchingUp ??= this.readUntilKnown().finally(() => (this.catchingUp = null));
    await this.catchingUp;
  }

  /** Returns whether the time was read. If the database is out of reach, the clock continues unchanged. */
  synchronise(): Promise<boolean> {
    this.synchronising ??= this.read()
      .then(() => true)
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

  /** Reads again after a slow answer, and accepts it as a last resort. */
  private async readUntilKnown(): Promise<void> {
    for (let tried = 1; ; tried++) {
      await this.read();
      if (tried === TRIES || (this.errorMs <= MAX_ERROR_MS && !this.hasHostJumped)) return;
    }
  }

  private get errorMs(): number {
    return this.readErrorMs + DRIFT * (performance.now() - this.readAt);
  }

  private async read(): Promise<void> {
    const before = performance.now();
    const { hasHostJumped } = this;
    const hostOffsetMs = Date.now() - before;
    const databaseMs = await this.database.readClockMs();
    const after = performance.now();
    const [offsetMs, errorMs] = [databaseMs - (before + after) / 2, (after - before) / 2];
    const [stepMs, uncertainMs] = [offsetMs - this.offsetMs, this.errorMs + errorMs];
    this.noticeStep(stepMs, uncertainMs, after);
    if (hasHostJumped || Math.abs(stepMs) > uncertainMs || errorMs <= this.errorMs)
      [this.offsetMs, this.readErrorMs, this.readAt] = [offsetMs, errorMs, after];
    this.hostOffsetMs = hostOffsetMs;
    this.noticeImprecision();
  }

  private noticeImprecision(): void {
    const { errorMs, isImprecise } = this;
    this.isImprecise = errorMs > MAX_ERROR_MS;
    if (this.isImprecise && !isImprecise)
      this.logger.warn(`The time of the database is known to ${Math.round(errorMs)} ms only, as it answers slowly`);
  }

  private noticeStep(stepMs: number, errorMs: number, at: number): void {
    if (Math.abs(stepMs) < STEP_MS + errorMs) return;
    this.steppedAt = at;
    this.logger.warn(
      `The clock of the database was set by ${Math.round(stepMs / 1_000)} s: ` +
        `for ${UNSTEADY_MS / 1_000} s no work is taken over from other workers`,
    );
  }
}
