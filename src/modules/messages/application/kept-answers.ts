import type { Clock } from '../../../shared/ports/clock.js';

const QUICK_MS = 250;
/** Asking all the time takes up at most a twentieth of a connection. */
const KEPT_TIMES = 20;
const KEPT_AT_MOST_MS = 60_000;

/**
 * Answers that were slow to come by are given again for a while, and whoever asks while one is on its way waits for the same
 * one. Quick answers are always new.
 */
export class KeptAnswers<T> {
  private readonly answers = new Map<string, { answer: Promise<T>; until: number }>();

  constructor(private readonly clock: Clock) {}

  get(key: string, load: () => Promise<T>): Promise<T> {
    const askedAt = this.clock.now().getTime();
    for (const [name, { until }] of this.answers) if (until <= askedAt) this.answers.delete(name);
    const known = this.answers.get(key);
    if (known) return known.answer;
    const entry = { answer: load(), until: Infinity };
    this.answers.set(key, entry);
    entry.answer.then(
      () => {
        const now = this.clock.now().getTime();
        const tookMs = now - askedAt;
        if (tookMs < QUICK_MS) this.answers.delete(key);
        else entry.until = now + Math.min(KEPT_AT_MOST_MS, KEPT_TIMES * tookMs);
      },
      () => this.answers.delete(key),
    );
    return entry.answer;
  }
}
