import { Clock } from '../../shared/ports/clock.js';

/** A clock that stands still until it is moved, and never goes back. */
export class PastClock extends Clock {
  constructor(private at: Date) {
    super();
  }

  now(): Date {
    return new Date(this.at);
  }

  moveTo(time: Date): void {
    if (time > this.at) this.at = time;
  }

  advance(milliseconds: number): void {
    this.at = new Date(this.at.getTime() + milliseconds);
  }
}
