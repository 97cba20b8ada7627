import { afterEach, describe, expect, it, jest } from '@jest/globals';

import { nextIteration } from '../../../../../test/support/event-loop.js';
import { LOCK_WAIT_MS } from '../../../../concurrency/retry.js';
import { AccountBatcher } from './account-batcher.js';

/** As PostgreSQL reports it. */
const LOCK_TIMEOUT = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
const NO_FAULTS = { isRowFault: () => false, isTimedOut: () => false, isOutOfReach: () => false };
const OPTIONS = {
  faults: NO_FAULTS,
  maxSize: 1_000_000,
  accountOf: (call: string) => call.charAt(0),
  /** `a1*90000` has that size; without a number a call is short. */
  sizeOf: (call: string) => Number(call.split('*')[1] ?? 1_000),
};

/** The batches of all wait for a shorter time than those of one account. */
const kindOf = (lockWaitMs: number): string => (lockWaitMs < LOCK_WAIT_MS ? 'shared' : 'own');

/** Calls are like `a1`: the first character is the account. A turn lasts until `unlock` or `endTurn`. */
function batcherOf(locked: Set<string>, poolSize = 20) {
  const batches: string[] = [];
  const held = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const batcher = new AccountBatcher<string, string>({
    ...{ ...OPTIONS, poolSize },
    write: async (calls, lockWaitMs) => {
      const kind = kindOf(lockWaitMs);
      batches.push(`${kind} ${calls.join()}`);
      const account = calls[0]?.charAt(0) ?? '';
      if (kind === 'shared' && calls.some((call) => locked.has(call.charAt(0)))) throw LOCK_TIMEOUT;
      if (kind === 'own' && locked.has(account))
        await new Promise<void>((resolve, reject) => held.set(account, { resolve, reject }));
      return calls.map((call) => `done ${call}`);
    },
    findFree: (calls) => Promise.resolve(new Set(calls.filter((call) => !locked.has(call.charAt(0))))),
  });
  const unlock = (account: string) => {
    locked.delete(account);
    held.get(account)?.resolve();
  };
  const endTurn = (account: string) => {
    held.get(account)?.reject(LOCK_TIMEOUT);
    held.delete(account);
  };
  return { batcher, batches, unlock, endTurn, isHeld: (account: string) => held.has(account) };
}

const untilHeld = async (isHeld: () => boolean) => {
  while (!isHeld()) await nextIteration();
};

describe('AccountBatcher', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('writes the calls of all accounts together', async () => {
    const { batcher, batches } = batcherOf(new Set());
    await expect(Promise.all(['a1', 'b1'].map((call) => batcher.add(call)))).resolves.toEqual(['done a1', 'done b1']);
    expect(batches).toEqual(['shared a1,b1']);
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
    expect(batches).toEqual(['shared a1,b1', 'shared b1', 'own a1', 'shared b2', 'own a2,a3']);
  });

  it('lets no more accounts wait for locks than their share of a small connection pool', async () => {
    const { batcher, batches, unlock, isHeld } = batcherOf(new Set(['a', 'b']), 4);
    const calls = ['a1', 'b1'].map((call) => batcher.add(call));
    await untilHeld(() => isHeld('a'));
    await expect(batcher.add('c1')).resolves.toBe('done c1');
    expect(batches.filter((batch) => batch.startsWith('own'))).toEqual(['own a1']);
    unlock('a');
    await untilHeld(() => isHeld('b'));
    unlock('b');
    await expect(Promise.all(calls)).resolves.toEqual(['done a1', 'done b1']);
  });

  it('lets locked accounts take turns, each with the calls that came meanwhile', async () => {
    const { batcher, batches, unlock, endTurn, isHeld } = batcherOf(new Set(['a', 'b']), 4);
    const calls = ['a1', 'b1'].map((call) => batcher.add(call));
    await untilHeld(() => isHeld('a'));
    calls.push(batcher.add('a2'));
    unlock('b');
    endTurn('a');
    await expect(calls[1]).resolves.toBe('done b1');
    await untilHeld(() => isHeld('a'));
    unlock('a');
    await expect(Promise.all(calls)).resolves.toEqual(['done a1', 'done b1', 'done a2']);
    const turns = ['own a1', 'own b1', 'own a2,a1'];
    expect(batches.filter((batch) => batch.startsWith('own'))).toEqual(turns);
  });

  it('repeats only the calls of a turn that the lock has failed', async () => {
    const batches: string[] = [];
    const batcher = new AccountBatcher<string, string>({
      ...{ ...OPTIONS, poolSize: 4 },
      write: (calls, lockWaitMs) => {
        batches.push(`${kindOf(lockWaitMs)} ${calls.join()}`);
        if (lockWaitMs < LOCK_WAIT_MS) return Promise.reject(LOCK_TIMEOUT);
        return Promise.resolve(calls.map((call) => (call === 'a2' && calls.length > 1 ? LOCK_TIMEOUT : call)));
      },
      findFree: () => Promise.resolve(new Set()),
    });
    await expect(Promise.all(['a1', 'a2'].map((call) => batcher.add(call)))).resolves.toEqual(['a1', 'a2']);
    expect(batches).toEqual(['shared a1,a2', 'own a1,a2', 'own a2']);
  });

  it('lets each account go on alone if others are locked while the free ones are written', async () => {
    const batches: string[] = [];
    const batcher = new AccountBatcher<string, string>({
      ...{ ...OPTIONS, poolSize: 20 },
      write: (calls, lockWaitMs) => {
        batches.push(`${kindOf(lockWaitMs)} ${calls.join()}`);
        return lockWaitMs < LOCK_WAIT_MS ? Promise.reject(LOCK_TIMEOUT) : Promise.resolve([...calls]);
      },
      findFree: () => Promise.resolve(new Set(['a1', 'b1'])),
    });
    await expect(Promise.all(['a1', 'b1', 'c1'].map((call) => batcher.add(call)))).resolves.toEqual(['a1', 'b1', 'c1']);
    expect(batches).toEqual(['shared a1,b1,c1', 'shared a1,b1', 'own a1', 'own b1', 'own c1']);
  });

  it('fails the calls of an account that stays locked for five seconds', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const { batcher, batches, endTurn, isHeld } = batcherOf(new Set(['a']));
    const call = batcher.add('a1').catch((error: unknown) => error);
    for (const elapsedMs of [4_999, 1]) {
      await untilHeld(() => isHeld('a'));
      jest.advanceTimersByTime(elapsedMs);
      endTurn('a');
    }
    await expect(call).resolves.toBe(LOCK_TIMEOUT);
    expect(batches).toEqual(['shared a1', 'own a1', 'own a1']);
  });

  it('lets the long calls of an account wait among themselves, if they are more than some', async () => {
    const { batcher, batches } = batcherOf(new Set());
    const calls = ['a1*90000', 'a2*90000', 'a3*90000', 'a4*2000000', 'b1', 'c1*90000'];
    await Promise.all(calls.map((call) => batcher.add(call)));
    expect(batches).toEqual(['shared a1*90000,a2*90000,b1,c1*90000', 'own a3*90000', 'own a4*2000000']);
    await Promise.all(['a5*90000', 'b2'].map((call) => batcher.add(call)));
    expect(batches.at(-1)).toBe('shared a5*90000,b2');
  });

  it('returns an account to the others when its queue is empty', async () => {
    const { batcher, batches, unlock, isHeld } = batcherOf(new Set(['a']));
    const first = batcher.add('a1');
    await untilHeld(() => isHeld('a'));
    unlock('a');
    await first;
    await Promise.all(['a2', 'b1'].map((call) => batcher.add(call)));
    expect(batches).toEqual(['shared a1', 'own a1', 'shared a2,b1']);
  });
});
