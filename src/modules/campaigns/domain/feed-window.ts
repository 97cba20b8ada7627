/** How far the feeder may be ahead of the workers: a paused campaign stops as soon as these messages are submitted. */
const AHEAD_SECONDS = 1.5;
const MIN_AHEAD = 50;
/** A rate measured over less time is mostly noise. */
const MIN_SAMPLE_MS = 100;
const FIRST_PATIENCE_MS = 5_000;
const MAX_PATIENCE_MS = 60_000;

/**
 * Limits how many messages of a campaign are pending: those of about 1.5 seconds at the measured rate of submission. It
 * begins with a few and grows while the workers keep up.
 */
export class FeedWindow {
  private rate = 0;
  private added = 0;
  private last: { pending: number; atMs: number } | null = null;
  /** Pending messages that do not move, because they wait for a retry. They take no room from the others. */
  private stuck = 0;
  private blockedMs = 0;
  private patienceMs = FIRST_PATIENCE_MS;

  /** How many messages may be added now. */
  room(pending: number, nowMs: number): number {
    this.measure(pending, nowMs);
    return Math.max(0, this.ahead + this.stuck - pending);
  }

  add(count: number): void {
    this.added += count;
  }

  private get ahead(): number {
    return Math.max(MIN_AHEAD, Math.ceil(this.rate * AHEAD_SECONDS));
  }

  private measure(pending: number, nowMs: number): void {
    const { last } = this;
    const elapsedMs = last === null ? 0 : nowMs - last.atMs;
    if (last !== null && elapsedMs < MIN_SAMPLE_MS) return;
    if (last !== null) this.record(Math.max(0, last.pending + this.added - pending), pending, elapsedMs);
    this.last = { pending, atMs: nowMs };
    this.added = 0;
  }

  private record(submitted: number, pending: number, elapsedMs: number): void {
    const rate = (submitted * 1_000) / elapsedMs;
    this.rate = this.rate === 0 ? rate : (this.rate + rate) / 2;
    this.stuck = Math.min(this.stuck, pending);
    if (submitted > 0) {
      this.blockedMs = 0;
      this.patienceMs = FIRST_PATIENCE_MS;
      return;
    }
    this.blockedMs = pending < this.ahead + this.stuck ? 0 : this.blockedMs + elapsedMs;
    if (this.blockedMs < this.patienceMs) return;
    // Nothing moves: a few more messages show whether the provider is away or these wait for their next attempt.
    this.stuck = pending;
    this.blockedMs = 0;
    this.patienceMs = Math.min(this.patienceMs * 2, MAX_PATIENCE_MS);
  }
}
