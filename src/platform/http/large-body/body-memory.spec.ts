import { describe, expect, it } from '@jest/globals';

import type { Config } from '../../../config/config.js';
import { BodyMemory } from './body-memory.js';

describe('The memory of a body', () => {
  const setUp = () => {
    const memory = new BodyMemory({ maxAttachmentsMb: 10 } as Config);
    const largest = memory.maxBodyBytes; // two of them take all the memory of an account
    const held = memory.take('a', largest);
    const isFree = () => {
      try {
        memory.take('a', 2 * largest).close();
        return true;
      } catch {
        return false;
      }
    };
    return { memory, largest, held, isFree };
  };

  it('is given back when the response is closed and the handler has ended, in any order', async () => {
    const first = setUp();
    await first.held.during(() => Promise.resolve());
    expect(first.isFree()).toBe(false);
    first.held.close();
    expect(first.isFree()).toBe(true);
    const second = setUp();
    const whileUsed = await second.held.during(() => {
      second.held.close();
      return Promise.resolve(second.isFree());
    });
    expect(whileUsed).toBe(false);
    expect(second.isFree()).toBe(true);
  });

  it('is taken for a handler that begins after the client has disconnected, or the handler does not begin', async () => {
    const { memory, largest, held, isFree } = setUp();
    held.close();
    expect(isFree()).toBe(true);
    expect(await held.during(() => Promise.resolve(isFree()))).toBe(false);
    expect(isFree()).toBe(true);
    const others = [1, 2].map(() => memory.take('a', largest));
    await expect(held.during(() => Promise.resolve())).rejects.toMatchObject({ kind: 'unavailable' });
    for (const other of others) other.close();
    expect(isFree()).toBe(true);
  });
});
