import { describe, expect, it } from '@jest/globals';

import { nextIteration } from '../../../../test/support/event-loop.js';
import { ContentMemory, type TakeMemory } from './content-memory.js';

const OVERLOADED = expect.objectContaining({ kind: 'unavailable', message: 'The service is overloaded' });

/** Takes the memory until the returned function is called. */
function hold(memory: ContentMemory, accountId: string, length: number): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const work = async (take: TakeMemory) => {
      take(length);
      await new Promise<void>((end) => {
        resolve(end);
      });
    };
    memory.during(accountId, work).catch(reject);
  });
}

describe('ContentMemory', () => {
  it('gives an account a third, and back what it has had', async () => {
    const memory = new ContentMemory();
    const end = await hold(memory, 'a', 50_000_000);
    await expect(hold(memory, 'a', 1)).rejects.toEqual(OVERLOADED);
    await hold(memory, 'b', 50_000_000);
    end();
    await nextIteration();
    await hold(memory, 'a', 50_000_000);
  });

  it('gives no more than there is', async () => {
    const memory = new ContentMemory();
    const ends = [];
    for (const account of ['a', 'b', 'c']) ends.push(await hold(memory, account, 50_000_000));
    await expect(hold(memory, 'd', 1)).rejects.toEqual(OVERLOADED);
    for (const end of ends) end();
    await nextIteration();
    await hold(memory, 'd', 1);
  });

  it('gives back what failed work has taken', async () => {
    const memory = new ContentMemory();
    const failing = memory.during('a', (take) => {
      take(50_000_000);
      return Promise.reject(new Error('failed'));
    });
    await expect(failing).rejects.toThrow('failed');
    await hold(memory, 'a', 50_000_000);
  });
});
