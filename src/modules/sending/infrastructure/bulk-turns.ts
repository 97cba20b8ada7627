/** Other messages count as active for this long after the last of them was claimed. */
const ACTIVE_MS = 500;
/** Leaves about 150 bulk messages a second: storing and submitting them takes a small part of two cores. */
export const PAUSE_MS = 20;
/** They share statements, and do not take long enough together to delay others. */
export const MESSAGES_PER_PAUSED_TURN = 3;
/** Takes a few milliseconds. With fewer messages, claims, checks and records would take more statements for each. */
const MESSAGES_PER_TURN = 10;

/**
 * Lets a few bulk messages begin in each iteration of the event loop, because what a process composes and signs at once
 * delays its other messages. While others are active, it lets fewer begin and pauses in between, so that others find
 * the process, and a machine with few cores, idle most of the time.
 */
export class BulkTurns {
  private readonly waiting: (() => void)[] = [];
  private othersActiveUntil = 0;

  /** Called when another message is about to be submitted. */
  yieldToOthers(): void {
    this.othersActiveUntil = performance.now() + ACTIVE_MS;
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (this.waiting.length === 1) this.schedule();
    });
  }

  private schedule(): void {
    const grant = (messages: number) => {
      for (const begin of this.waiting.splice(0, messages)) begin();
      if (this.waiting.length > 0) this.schedule();
    };
    if (performance.now() < this.othersActiveUntil) setTimeout(grant, PAUSE_MS, MESSAGES_PER_PAUSED_TURN);
    else setImmediate(grant, MESSAGES_PER_TURN);
  }
}
