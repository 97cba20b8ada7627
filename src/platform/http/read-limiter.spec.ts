import { describe, expect, it } from '@jest/globals';

import { nextIteration } from '../../../test/support/event-loop.js';
import type { Config } from '../../config/config.js';
import type { RequestsInFlight } from '../metrics/requests-in-flight.js';
import { ReadLimiter } from './read-limiter.js';

const limiterOf = (databasePoolSize: number, limit: number) =>
  new ReadLimiter({ databasePoolSize } as Config, { limit } as RequestsInFlight);

describe('ReadLimiter', () => {
  const open = () => {
    const ends: (() => void)[] = [];
    return { read: () => new Promise<void>((end) => ends.push(end)), ends };
  };

  it('runs reads on an eighth of the connections per account, and on a quarter in total', async () => {
    const limiter = limiterOf(16, 320);
    const { read, ends } = open();
    const reads = ['a', 'a', 'a', 'b', 'b', 'c'].map((accountId) => limiter.run(accountId, read));
    await nextIteration();
    expect([ends.length, limiter.waiting]).toEqual([4, 2]);
    while (ends.length > 0) {
      ends.pop()?.();
      await nextIteration();
    }
    await Promise.all(reads);
    expect(limiter.waiting).toBe(0);
  });

  it('refuses reads above the queue of the account', async () => {
    const limiter = limiterOf(8, 32);
    const { read, ends } = open();
    const reads = Array.from({ length: 3 }, () => limiter.run('a', read));
    await nextIteration();
    await expect(limiter.run('a', read)).rejects.toMatchObject({ kind: 'unavailable', code: 'overloaded' });
    while (ends.length > 0) {
      ends.pop()?.();
      await nextIteration();
    }
    await Promise.all(reads);
  });

  it('refuses reads of the account with the most when the queue of all is full', async () => {
    const limiter = limiterOf(8, 64); // 16 may wait, 4 of an account
    const { read, ends } = open();
    const reads = [...'aaaaabbbbbccccdddd'].map((accountId) => limiter.run(accountId, read));
    const outcomes = Promise.allSettled(reads);
    await nextIteration();
    const other = limiter.run('e', read);
    while (ends.length > 0) {
      ends.pop()?.();
      await nextIteration();
    }
    await other;
    const refused = (await outcomes).filter(({ status }) => status === 'rejected');
    expect(refused).toEqual([expect.objectContaining({ reason: expect.objectContaining({ code: 'overloaded' }) })]);
  });

  it('releases the permit of a read that fails', async () => {
    const limiter = limiterOf(8, 32);
    await expect(limiter.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    await expect(limiter.run('a', () => Promise.resolve(1))).resolves.toBe(1);
  });

  it('allows four open exports per account, whose reads may exceed the queue', async () => {
    const limiter = limiterOf(8, 32);
    const exports = Array.from({ length: 4 }, () => limiter.openExport('a'));
    expect(() => limiter.openExport('a')).toThrow('4 exports of this account are still running');
    limiter.openExport('b');
    const reads = exports.map(({ read }) => read(() => Promise.resolve('batch')));
    expect(await Promise.all(reads)).toEqual(['batch', 'batch', 'batch', 'batch']);
    exports[0]?.close();
    exports[0]?.close();
    limiter.openExport('a');
    expect(() => limiter.openExport('a')).toThrow();
  });
});
