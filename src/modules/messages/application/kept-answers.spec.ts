import { beforeEach, describe, expect, it } from '@jest/globals';

import { Clock } from '../../../shared/ports/clock.js';
import type { TtlCache } from '../../../shared/ttl-cache.js';
import { keptAnswers } from './kept-answers.js';

class SteppedClock extends Clock {
  ms = 0;
  now = () => new Date(this.ms);
}

describe('Kept answers', () => {
  let clock: SteppedClock;
  let answers: TtlCache<number>;
  let loads: number;

  beforeEach(() => {
    clock = new SteppedClock();
    answers = keptAnswers(clock);
    loads = 0;
  });

  const ask = (tookMs: number, key = 'a') =>
    answers.get(key, async () => {
      await Promise.resolve();
      clock.ms += tookMs;
      return ++loads;
    });

  it('are new each time where they are quick', async () => {
    expect([await ask(249), await ask(249)]).toEqual([1, 2]);
  });

  it('are the same for those who ask at once', async () => {
    expect(await Promise.all([ask(1), ask(1), ask(1, 'b')])).toEqual([1, 1, 2]);
  });

  it('are given again for twenty times as long as they took', async () => {
    await ask(2_000);
    clock.ms += 39_999;
    expect(await ask(2_000)).toBe(1);
    clock.ms += 1;
    expect(await ask(2_000)).toBe(2);
  });

  it('are given again for a minute at most', async () => {
    await ask(100_000);
    clock.ms += 60_000;
    expect(await ask(1)).toBe(2);
  });

  it('are asked for again after a failure', async () => {
    await expect(answers.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await ask(1)).toBe(1);
  });
});
