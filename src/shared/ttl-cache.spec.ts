import { describe, expect, it } from '@jest/globals';

import { TtlCache } from './ttl-cache.js';

describe('TtlCache', () => {
  /** Its questions are answered with what is put in `next`. */
  function setUp(freshForMs: number | ((answer: string) => number), max = 10) {
    const clock = { now: 0 };
    const asked: string[] = [];
    const answers = new TtlCache<string>({ max, freshForMs, now: () => clock.now });
    const get = (question: string, answer: string | Promise<string> = question) =>
      answers.get(question, () => {
        asked.push(question);
        return Promise.resolve(answer);
      });
    return { clock, asked, get };
  }

  it('asks again once the answer is no longer fresh, and not before', async () => {
    const { clock, asked, get } = setUp(1_000);
    expect(await get('a', 'old')).toBe('old');
    clock.now = 999;
    expect(await get('a', 'new')).toBe('old');
    clock.now = 1_000;
    expect(await get('a', 'new')).toBe('new');
    clock.now = 1_999;
    expect(await get('a', 'newest')).toBe('new');
    expect(asked).toEqual(['a', 'a']);
  });

  it('asks once for those who ask at the same time', async () => {
    const { asked, get } = setUp(1_000);
    expect(await Promise.all([get('a'), get('b'), get('a')])).toEqual(['a', 'b', 'a']);
    expect(asked).toEqual(['a', 'b']);
  });

  it('keeps an answer as long as its value says, from when it came', async () => {
    const { clock, asked, get } = setUp((answer) => (answer === 'none' ? 10 : 1_000));
    let answerA: (answer: string) => void = () => undefined;
    const first = get('a', new Promise((resolve) => (answerA = resolve)));
    clock.now = 5_000;
    const second = get('a');
    answerA('none');
    expect(await Promise.all([first, second])).toEqual(['none', 'none']);
    clock.now = 5_009;
    expect(await get('a')).toBe('none');
    clock.now = 5_010;
    expect(await get('a', 'some')).toBe('some');
    clock.now = 6_009;
    expect(await get('a')).toBe('some');
    expect(asked).toEqual(['a', 'a']);
  });

  it('tells a failure to all who wait, and asks again afterwards', async () => {
    const { asked, get } = setUp(1_000);
    const failure = Promise.reject(new Error('away'));
    const waiting = await Promise.allSettled([get('a', failure), get('a')]);
    expect(waiting.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await get('a')).toBe('a');
    expect(asked).toEqual(['a', 'a']);
  });

  it('keeps a newer answer when an older question fails late', async () => {
    const { clock, asked, get } = setUp(1_000);
    let fail: (error: Error) => void = () => undefined;
    const late = get('a', new Promise((_, reject) => (fail = reject)));
    clock.now = 1_000;
    expect(await get('a', 'new')).toBe('new');
    fail(new Error('away'));
    await expect(late).rejects.toThrow('away');
    expect(await get('a')).toBe('new');
    expect(asked).toEqual(['a', 'a']);
  });

  it('forgets what was asked first when it has too many', async () => {
    const { asked, get } = setUp(1_000, 2);
    for (const question of ['a', 'b', 'c', 'b', 'c', 'a']) await get(question);
    expect(asked).toEqual(['a', 'b', 'c', 'a']);
  });
});
