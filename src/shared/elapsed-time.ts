/**
 * The time elapsed since an instant: the larger value of the monotonic clock, which keeps counting while the process is
 * stopped, and the wall clock, which catches up after the whole machine was paused.
 */
export class ElapsedTime {
  private readonly monotonicMs = performance.now();
  private readonly wallMs = Date.now();

  get ms(): number {
    return Math.max(performance.now() - this.monotonicMs, Date.now() - this.wallMs);
  }
}
