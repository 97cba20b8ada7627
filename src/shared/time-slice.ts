import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_MS = 10;

/** Divides long work: asked again and again, it lets the event loop have its turn every ten milliseconds. */
export class TimeSlice {
  private startedAt = performance.now();

  /** Whether it is time for `pause`; cheaper than to await that every time. */
  get isUsedUp(): boolean {
    return performance.now() - this.startedAt >= SLICE_MS;
  }

  async pause(): Promise<void> {
    await nextTurn();
    this.startedAt = performance.now();
  }
}
