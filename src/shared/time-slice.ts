const SLICE_MS = 10;

const waiting: (() => void)[] = [];

/** Only one loop resumes per turn of the event loop, so that many loops together block it no longer than one. */
function goOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(goOn);
}

/**
 * Divides a long loop over request data into slices of ten milliseconds and yields to the event loop between them:
 * `if (slice.isOver) await slice.next();`
 */
export class TimeSlice {
  private since = performance.now();

  get isOver(): boolean {
    return performance.now() - this.since > SLICE_MS;
  }

  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(goOn);
    });
    this.since = performance.now();
  }
}
