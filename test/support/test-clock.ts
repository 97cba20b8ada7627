import { Clock } from '../../src/shared/ports/clock.js';

/** The real time, shifted by what the test has advanced it, or one that stands still meanwhile. */
export class TestClock extends Clock {
  private shiftMs = 0;
  private stoppedAt: number | null = null;

  now(): Date {
    return new Date((this.stoppedAt ?? Date.now()) + this.shiftMs);
  }

  /** Only `advance` moves the clock from now on, so that what a response says of time is exact. */
  freeze(): void {
    this.stoppedAt ??= Date.now();
  }

  /** Goes on from where it stands. */
  unfreeze(): void {
    if (this.stoppedAt === null) return;
    this.shiftMs += this.stoppedAt - Date.now();
    this.stoppedAt = null;
  }

  advance({ days = 0, hours = 0, minutes = 0, seconds = 0 }): void {
    this.shiftMs += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000;
  }

  reset(): void {
    this.shiftMs = 0;
    this.stoppedAt = null;
  }
}
