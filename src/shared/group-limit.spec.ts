import { describe, expect, it } from '@jest/globals';

import { GroupLimit } from './group-limit.js';

describe('GroupLimit', () => {
  const begun: number[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const start = (limit: GroupLimit, number: number): Promise<void> =>
    limit.run(() => {
      begun.push(number);
      return new Promise((resolve, reject) => {
        ends[number] = (error) => {
          if (error) reject(error);
          else resolve();
        };
      });
    });
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it('begins up to its limit at once, and those that wait in order and in groups', async () => {
    const limit = new GroupLimit(3, 2);
    const works = Array.from({ length: 8 }, (_, number) => start(limit, number));
    expect(begun).toEqual([0, 1, 2]);
    ends[0]!();
    await turn();
    expect(begun).toEqual([0, 1, 2]);
    ends[1]!();
    await turn();
    expect(begun).toEqual([0, 1, 2, 3, 4]);
    works[2]!.catch(() => undefined);
    ends[2]!(new Error('It failed'));
    ends[3]!();
    await turn();
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6]);
    ends.slice(4).forEach((end) => {
      end();
    });
    await turn();
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    ends[7]!();
    const results = await Promise.allSettled(works);
    expect(results.map(({ status }) => status).filter((status) => status === 'rejected')).toHaveLength(1);
    await expect(limit.run(() => Promise.resolve('again'))).resolves.toBe('again');
  });
});
