const SLICE_MS = 10;

/** Waiting callers, by the account that they work for. */
const lanes = new Map<string, (() => void)[]>();

/** Moves the lane that is served behind the others. */
function resumeNext(): void {
  for (const [key, lane] of lanes) {
    lanes.delete(key);
    lane.shift()?.();
    if (lane.length > 0) lanes.set(key, lane);
    break;
  }
  if (lanes.size > 0) setImmediate(resumeNext);
}

/**
 * Resumes one caller per iteration of the event loop, so that many of them block it no longer than one. Accounts take
 * turns; callers that do not name theirs share a lane.
 */
export const nextTurn = (accountId = ''): Promise<void> =>
  new Promise((resolve) => {
    if (lanes.size === 0) setImmediate(resumeNext);
    const lane = lanes.get(accountId);
    if (lane) lane.push(resolve);
    else lanes.set(accountId, [resolve]);
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
