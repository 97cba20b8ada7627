import { afterEach, describe, expect, it, jest } from '@jest/globals';

import { nextIteration } from '../../test/support/event-loop.js';
import { type CallOptions, Limiter, type Limits } from './limiter.js';

/** Calls are named after their key: `a1` has the key `a`. Each runs until it is ended by name. */
function setUp(limits: Limits) {
  const limiter = new Limiter(limits);
  const started: string[] = [];
  const refused: string[] = [];
  const ends = new Map<string, () => void>();
  const call = (name: string, options?: CallOptions) => {
    const work = () => {
      started.push(name);
      return new Promise<void>((end) => ends.set(name, end));
    };
    limiter.run(name.charAt(0), work, options).catch(() => refused.push(name));
  };
  const end = async (...names: string[]) => {
    for (const name of names) ends.get(name)?.();
    await nextIteration();
  };
  return { limiter, started, refused, call, end };
}

describe('Limiter', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('starts calls within the limits at once, and the others in the order of their key', async () => {
    const { started, call, end } = setUp({ perKey: 2 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) call(name);
    expect(started).toEqual(['a1', 'a2', 'b1']);
    await end('a2');
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
    await end('a1', 'a3', 'b1');
    expect(started.at(-1)).toBe('a4');
  });

  it('serves waiting keys round-robin, however many calls of one of them wait', async () => {
    const { started, call, end } = setUp({ perKey: 2, total: 3 });
    for (const name of ['x1', 'a1', 'a2', 'x2', 'x3', 'b1']) call(name);
    expect(started).toEqual(['x1', 'a1', 'a2']);
    await end('x1');
    expect(started.at(-1)).toBe('x2');
    await end('x2');
    expect(started.at(-1)).toBe('b1');
  });

  it('gives back what failed work has used, and its error', async () => {
    const limiter = new Limiter({ total: 1 });
    await expect(limiter.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    await expect(limiter.run('a', () => Promise.resolve(1))).resolves.toBe(1);
  });

  it('lets nobody overtake a heavy call, which gets all if it needs more than there is', async () => {
    const { started, call, end } = setUp({ total: 10 });
    call('a1', { weight: 6 });
    call('b1', { weight: 99 });
    call('c1');
    await end();
    expect(started).toEqual(['a1']);
    await end('a1');
    expect(started).toEqual(['a1', 'b1']);
    await end('b1');
    expect(started).toEqual(['a1', 'b1', 'c1']);
  });

  it('keeps the limit of a key while calls without weight come and go', async () => {
    const { started, call, end } = setUp({ perKey: 1 });
    call('a1', { weight: 0 });
    call('a2', { weight: 0 });
    await end('a1');
    call('a3');
    await end('a2');
    call('a4');
    expect(started).toEqual(['a1', 'a2', 'a3']);
  });

  it('leaves to other keys what one may not use', async () => {
    const { started, call, end } = setUp({ total: 4, perKey: 2 });
    for (const name of ['a1', 'a2', 'b1']) call(name, { weight: 2 });
    expect(started).toEqual(['a1', 'b1']);
    await end('a1');
    expect(started).toEqual(['a1', 'b1', 'a2']);
  });

  it('starts waiting calls of a key in groups', async () => {
    const { started, call, end } = setUp({ perKey: 3, groupSize: 2 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1']) call(name);
    expect(started).toEqual(['a1', 'a2', 'a3', 'b1']);
    await end('a1');
    expect(started).toHaveLength(4);
    await end('a2');
    expect(started.slice(4)).toEqual(['a4', 'a5']);
    await end('a3', 'a4', 'a5');
    expect(started.slice(6)).toEqual(['a6']);
  });

  it('may have other limits for some keys', () => {
    const { started, call } = setUp({ perKey: (key) => (key === 'a' ? 1 : 2) });
    for (const name of ['a1', 'a2', 'b1', 'b2', 'b3']) call(name);
    expect(started).toEqual(['a1', 'b1', 'b2']);
  });

  describe('with a bounded queue', () => {
    const limits = { total: 1, maxWaiting: 3, maxWaitingPerKey: 3, refusal: () => new Error('overloaded') };

    it('refuses the newest call of the key that fills the queue, for others that have fewer', async () => {
      const { limiter, refused, call } = setUp(limits);
      for (const name of ['x1', 'a1', 'a2', 'a3', 'b1', 'a4', 'c1']) call(name);
      await nextIteration();
      expect(refused.sort()).toEqual(['a2', 'a3', 'a4']);
      expect(limiter.waiting).toBe(3); // one of each key: d would only take the place of another
      await expect(limiter.run('d', () => Promise.resolve())).rejects.toThrow('overloaded');
    });

    it('refuses beyond the queue of a key', async () => {
      const { refused, call } = setUp({ ...limits, maxWaitingPerKey: 1 });
      for (const name of ['x1', 'a1', 'a2', 'b1']) call(name);
      await nextIteration();
      expect(refused).toEqual(['a2']);
    });

    it('lets calls exceed the queue that are bounded otherwise', async () => {
      const { limiter, started, refused, call, end } = setUp(limits);
      for (const name of ['x1', 'a1', 'b1', 'c1']) call(name);
      call('d1', { mayExceedQueue: true });
      expect(limiter.waiting).toBe(3);
      await end('x1');
      await end('a1');
      await end('b1');
      await end('c1');
      expect(started.at(-1)).toBe('d1');
      expect(refused).toEqual([]);
    });
  });

  it('removes calls whose wait is aborted, and goes on to the next', async () => {
    const { started, refused, call, end } = setUp({ total: 2 });
    const gone = new AbortController();
    call('a1');
    call('a2', { weight: 2, signal: gone.signal });
    call('a3');
    gone.abort();
    call('a4', { signal: gone.signal });
    await end();
    expect([started, refused.sort()]).toEqual([
      ['a1', 'a3'],
      ['a2', 'a4'],
    ]);
  });

  it('does not end work that has started when its signal is aborted', async () => {
    const gone = new AbortController();
    const { refused, call, end } = setUp({ total: 1 });
    call('a1', { signal: gone.signal });
    gone.abort();
    await end('a1');
    expect(refused).toEqual([]);
  });

  it('refuses calls that have waited too long', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const { started, refused, call, end } = setUp({ total: 1 });
    call('a1');
    call('a2', { waitMs: 1_000 });
    jest.advanceTimersByTime(1_000);
    await end('a1');
    expect([started, refused]).toEqual([['a1'], ['a2']]);
  });

  it('refuses instead of waiting, and counts what is released twice once', () => {
    const limiter = new Limiter({ total: 3, perKey: 2 });
    const release = limiter.tryAcquire('a', 2);
    expect(limiter.tryAcquire('a')).toBeNull();
    expect(limiter.tryAcquire('b', 2)).toBeNull();
    expect(limiter.tryAcquire('b')).not.toBeNull();
    release?.();
    release?.();
    expect(limiter.tryAcquire('a', 3)).toBeNull();
    expect(limiter.tryAcquire('a', 2)).not.toBeNull();
    expect(limiter.tryAcquire('a')).toBeNull();
  });
});
