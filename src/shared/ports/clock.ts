export abstract class Clock {
  /** The time that all processes share: what one of them writes may be compared with what another one reads here. */
  abstract now(): Date;

  /**
   * Resolves when `now` is right: after a pause of the machine it may be behind for a moment. To be awaited before a lease
   * is written, which would otherwise have ended for the others already. Rejects where the time cannot be found out.
   */
  catchUp(): Promise<void> {
    return Promise.resolve();
  }
}
