const SLICE_MS = 10;

const waiting: (() => void)[] = [];

/** One loop goes on in each turn of the event loop, so that many long loops together hold it up no longer than one. */
function goOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(goOn);
}

/**
 * Divides a long loop over what a caller sent into slices of ten milliseconds, between which others are served. In the loop:
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
