/**
 * Another request takes about ten iterations of the event loop, each of which may hold one slice: with longer ones,
 * one caller's loops delay all others noticeably.
 */
const SLICE_MS = 1;

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
 * turns; callers that do not name theirs share a lane. Awaited before work of some milliseconds.
 */
export const nextTurn = (accountId = ''): Promise<void> =>
  new Promise((resolve) => {
    if (lanes.size === 0) setImmediate(resumeNext);
    const lane = lanes.get(accountId);
    if (lane) lane.push(resolve);
    else lanes.set(accountId, [resolve]);
  });

/**
 * Divides a long loop into slices of a millisecond, and yields to the event loop between them:
 * `if (slice.isOver) await slice.next();`
 */
export class TimeSlice {
  private since = performance.now();

  constructor(private readonly accountId?: string) {}

  get isOver(): boolean {
    return performance.now() - this.since > SLICE_MS;
  }

  async next(): Promise<void> {
    await nextTurn(this.accountId);
    this.since = performance.now();
  }
}
