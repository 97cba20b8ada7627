import { beforeEach, describe, expect, it } from '@jest/globals';

import { nextIteration } from '../../test/support/event-loop.js';
import { Semaphore } from './semaphore.js';

describe('Semaphore', () => {
  let started: number[];
  let ends: ((error?: Error) => void)[];
  beforeEach(() => {
    started = [];
    ends = [];
  });

  const start = (semaphore: Semaphore, number: number): Promise<void> =>
    semaphore.run(() => {
      started.push(number);
      return new Promise((resolve, reject) => {
        ends[number] = (error) => {
          if (error) reject(error);
          else resolve();
        };
      });
    });

  it('starts work up to its permits at once, and waiting work in order and in groups', async () => {
    const semaphore = new Semaphore(3, 2);
    const works = Array.from({ length: 8 }, (_, number) => start(semaphore, number));
    expect(started).toEqual([0, 1, 2]);
    ends[0]!();
    await nextIteration();
    expect(started).toEqual([0, 1, 2]);
    ends[1]!();
    await nextIteration();
    expect(started).toEqual([0, 1, 2, 3, 4]);
    works[2]!.catch(() => undefined);
    ends[2]!(new Error('It failed'));
    ends[3]!();
    await nextIteration();
    expect(started).toEqual([0, 1, 2, 3, 4, 5, 6]);
    ends.slice(4).forEach((end) => {
      end();
    });
    await nextIteration();
    expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    ends[7]!();
    const results = await Promise.allSettled(works);
    expect(results.map(({ status }) => status).filter((status) => status === 'rejected')).toHaveLength(1);
    await expect(semaphore.run(() => Promise.resolve('again'))).resolves.toBe('again');
  });

  it('starts the next work with each permit that is released unless it groups', async () => {
    const semaphore = new Semaphore(2);
    const works = Array.from({ length: 4 }, (_, number) => start(semaphore, number));
    ends[1]!();
    await works[1];
    expect(started).toEqual([0, 1, 2]);
    expect(semaphore.isIdle).toBe(false);
    ends[0]!();
    ends[2]!();
    await nextIteration();
    ends[3]!();
    await Promise.all(works);
    expect(semaphore.isIdle).toBe(true);
  });
});
