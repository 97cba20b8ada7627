const SLICE_MS = 10;

const waiting: (() => void)[] = [];

function resumeNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resumeNext);
}

/** Resumes one caller per iteration of the event loop, so that many of them block it no longer than one. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(resumeNext);
  });

/**
 * Divides a long loop into slices of ten milliseconds, or as given, and yields to the event loop between them:
 * `if (slice.isOver) await slice.next();`
 */
export class TimeSlice {
  private since = performance.now();

  constructor(private readonly ms = SLICE_MS) {}

  get isOver(): boolean {
    return performance.now() - this.since > this.ms;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.since = performance.now();
  }
}
