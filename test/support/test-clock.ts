import { Clock } from '../../src/shared/ports/clock.js';

/** The real time, shifted by what the test has advanced it. */
export class TestClock extends Clock {
  private shiftMs = 0;

  now(): Date {
    return new Date(Date.now() + this.shiftMs);
  }

  advance({ days = 0, hours = 0, minutes = 0, seconds = 0 }): void {
    this.shiftMs += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000;
  }
}
