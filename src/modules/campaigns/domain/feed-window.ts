/** How far the feeder may be ahead of the workers: a paused campaign stops as soon as these messages are submitted. */
const AHEAD_SECONDS = 1.5;
/** Enough to measure the rate. More would be too many where an account may send a few messages per second. */
const MIN_AHEAD = 5;
/** As many messages may be added although none gets a final status: the first recipients may be at a slow domain. */
const MAX_WITHOUT_FINAL = 1_000;
/** Messages added each time in that case. */
const PROBE = 50;
/** A rate measured over less time is mostly noise. */
const MIN_SAMPLE_MS = 100;
const FIRST_PROBE_INTERVAL_MS = 5_000;
const MAX_PROBE_INTERVAL_MS = 60_000;

/** Messages without a final status: `postponed` wait for their next attempt. */
interface Pending {
  due: number;
  postponed: number;
}

/**
 * Limits how many messages of a campaign are due: those of about 1.5 seconds at the measured rate of attempts. It
 * begins with a few and grows while the workers keep up. Messages that wait for their next attempt take no room, unless
 * no message at all gets a final status: then the provider is probably away, and the feeder adds a few from time to
 * time.
 */
export class FeedWindow {
  private rate = 0;
  private last: (Pending & { atMs: number; added: number }) | null = null;
  /** Messages added since one had a final status. */
  private addedSinceFinal = 0;
  /** Due messages that do not move: a worker that was killed has left them. They take no room from the others. */
  private stuck = 0;
  private blockedMs = 0;
  private probeIntervalMs = FIRST_PROBE_INTERVAL_MS;

  /** The number of messages that may be added now. */
  room(pending: Pending, nowMs: number): number {
    this.measure(pending, nowMs);
    return this.roomBeside(pending.due);
  }

  add(count: number): void {
    if (this.last !== null) this.last.added += count;
    this.addedSinceFinal += count;
  }

  private roomBeside(due: number): number {
    const ahead = Math.max(MIN_AHEAD, Math.ceil(this.rate * AHEAD_SECONDS));
    return Math.max(0, Math.min(ahead + this.stuck - due, MAX_WITHOUT_FINAL - this.addedSinceFinal));
  }

  private measure(pending: Pending, nowMs: number): void {
    const { last } = this;
    if (last === null) this.begin(pending);
    else if (nowMs - last.atMs < MIN_SAMPLE_MS) return;
    else this.record(last, pending, nowMs - last.atMs);
    this.last = { ...pending, atMs: nowMs, added: 0 };
  }

  /** Counts what an earlier feeder has left as added; a first few messages show whether the provider is away. */
  private begin({ postponed }: Pending): void {
    this.addedSinceFinal = Math.min(postponed, MAX_WITHOUT_FINAL - PROBE);
    if (postponed >= MAX_WITHOUT_FINAL) this.probeIntervalMs = MAX_PROBE_INTERVAL_MS;
  }

  private record(last: Pending & { added: number }, { due, postponed }: Pending, elapsedMs: number): void {
    const completed = Math.max(0, last.due + last.postponed + last.added - due - postponed);
    const attempted = Math.max(completed, last.due + last.added - due);
    const rate = (attempted * 1_000) / elapsedMs;
    this.rate = this.rate === 0 ? rate : (this.rate + rate) / 2;
    this.stuck = Math.min(this.stuck, due);
    if (completed > 0) {
      this.addedSinceFinal = 0;
      this.blockedMs = 0;
      this.probeIntervalMs = FIRST_PROBE_INTERVAL_MS;
    } else if (this.roomBeside(due) === 0) {
      this.wait(elapsedMs, due);
    }
  }

  private wait(elapsedMs: number, due: number): void {
    this.blockedMs += elapsedMs;
    if (this.blockedMs < this.probeIntervalMs) return;
    this.stuck = due;
    this.addedSinceFinal = Math.min(this.addedSinceFinal, MAX_WITHOUT_FINAL - PROBE);
    this.blockedMs = 0;
    this.probeIntervalMs = Math.min(this.probeIntervalMs * 2, MAX_PROBE_INTERVAL_MS);
  }
}
