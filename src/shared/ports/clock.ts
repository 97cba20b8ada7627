export abstract class Clock {
  /** The time shared by all processes: a time that one of them has written can be compared with it. */
  abstract now(): Date;

  /**
   * Resolves when `now` is right; after a pause of the machine it may be behind for a moment. Await it before claiming
   * due work. Rejects if the time cannot be read.
   */
  catchUp(): Promise<void> {
    return Promise.resolve();
  }
}
