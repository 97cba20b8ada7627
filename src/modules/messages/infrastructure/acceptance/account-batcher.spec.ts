import { describe, expect, it } from '@jest/globals';

import type { Locking } from './accept.sql.js';
import { AccountBatcher, LOCKED } from './account-batcher.js';

/** As PostgreSQL reports it. */
const LOCK_TIMEOUT = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
const NO_FAULTS = { isRowFault: () => false, isTimedOut: () => false, isOutOfReach: () => false };

/** Calls are like `a1`: the first character is the account. */
function batcherOf(locked: Set<string>, poolSize = 20) {
  const batches: string[] = [];
  const held = new Map<string, () => void>();
  const batcher = new AccountBatcher<string, string>(
    (call) => call.charAt(0),
    async (calls, locking: Locking) => {
      batches.push(`${locking} ${calls.join()}`);
      const account = calls[0]?.charAt(0) ?? '';
      if (locking === 'waitBriefly' && calls.some((call) => locked.has(call.charAt(0)))) throw LOCK_TIMEOUT;
      if (locking === 'wait' && locked.has(account)) await new Promise<void>((resolve) => held.set(account, resolve));
      return calls.map((call) => (locking === 'skip' && locked.has(call.charAt(0)) ? LOCKED : `done ${call}`));
    },
    { faults: NO_FAULTS, poolSize },
  );
  const unlock = (account: string) => {
    locked.delete(account);
    held.get(account)?.();
  };
  return { batcher, batches, unlock, isHeld: (account: string) => held.has(account) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const untilHeld = async (isHeld: () => boolean) => {
  while (!isHeld()) await turn();
};

describe('AccountBatcher', () => {
  it('writes the calls of all accounts together', async () => {
    const { batcher, batches } = batcherOf(new Set());
    await expect(Promise.all(['a1', 'b1'].map((call) => batcher.add(call)))).resolves.toEqual(['done a1', 'done b1']);
    expect(batches).toEqual(['waitBriefly a1,b1']);
  });

  it('lets the calls of a locked account wait together, and no others', async () => {
    const { batcher, batches, unlock, isHeld } = batcherOf(new Set(['a']));
    const first = batcher.add('a1');
    await expect(batcher.add('b1')).resolves.toBe('done b1');
    await untilHeld(() => isHeld('a'));
    const others = ['a2', 'a3'].map((call) => batcher.add(call));
    await expect(batcher.add('b2')).resolves.toBe('done b2');
    unlock('a');
    await expect(Promise.all([first, ...others])).resolves.toEqual(['done a1', 'done a2', 'done a3']);
    expect(batches).toEqual(['waitBriefly a1,b1', 'skip a1,b1', 'wait a1', 'waitBriefly b2', 'wait a2,a3']);
  });

  it('lets no more accounts wait for locks than their share of a small connection pool', async () => {
    const { batcher, batches, unlock, isHeld } = batcherOf(new Set(['a', 'b']), 4);
    const calls = ['a1', 'b1'].map((call) => batcher.add(call));
    await untilHeld(() => isHeld('a'));
    await expect(batcher.add('c1')).resolves.toBe('done c1');
    expect(batches.filter((batch) => batch.startsWith('wait '))).toEqual(['wait a1']);
    unlock('a');
    await untilHeld(() => isHeld('b'));
    unlock('b');
    await expect(Promise.all(calls)).resolves.toEqual(['done a1', 'done b1']);
  });

  it('returns an account to the others when its queue is empty', async () => {
    const { batcher, batches, unlock, isHeld } = batcherOf(new Set(['a']));
    const first = batcher.add('a1');
    await untilHeld(() => isHeld('a'));
    unlock('a');
    await first;
    await Promise.all(['a2', 'b1'].map((call) => batcher.add(call)));
    expect(batches).toEqual(['waitBriefly a1', 'skip a1', 'wait a1', 'waitBriefly a2,b1']);
  });
});
