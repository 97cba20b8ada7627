import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { ClientTransfers } from './client-transfers.js';

describe('ClientTransfers', () => {
  let aborted: string[];
  beforeEach(() => {
    jest.useFakeTimers();
    aborted = [];
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const abort = (name: string) => () => {
    aborted.push(name);
  };

  it('aborts a transfer after 30 seconds', () => {
    const transfers = new ClientTransfers(10);
    transfers.begin(abort('a'));
    jest.advanceTimersByTime(29_000);
    expect(aborted).toEqual([]);
    jest.advanceTimersByTime(2_000);
    expect(aborted).toEqual(['a']);
    expect(transfers.size).toBe(0);
  });

  it('leaves a transfer that has ended alone', () => {
    const transfers = new ClientTransfers(10);
    transfers.begin(abort('a'))?.();
    expect(transfers.size).toBe(0);
    jest.advanceTimersByTime(60_000);
    expect(aborted).toEqual([]);
  });

  it('aborts transfers after a second while there are many', () => {
    const transfers = new ClientTransfers(4);
    for (const name of ['a', 'b', 'c']) transfers.begin(abort(name));
    jest.advanceTimersByTime(3_000);
    expect(aborted).toEqual(['a', 'b', 'c']);
  });

  it('refuses transfers above the limit unless slow ones make way', () => {
    const transfers = new ClientTransfers(2);
    expect([transfers.begin(abort('a')), transfers.begin(abort('b'))]).not.toContain(null);
    expect(transfers.begin(abort('c'))).toBeNull();
    jest.advanceTimersByTime(999);
    expect(transfers.begin(abort('c'))).toBeNull();
    expect(aborted).toEqual([]);
    jest.advanceTimersByTime(2);
    expect(transfers.begin(abort('c'))).not.toBeNull();
    expect(aborted).toEqual(['a', 'b']);
  });

  it('aborts the oldest transfer for a new one above the limit', () => {
    const transfers = new ClientTransfers(2);
    for (const name of ['a', 'b', 'c']) transfers.beginInsteadOfOldest(abort(name));
    expect(aborted).toEqual(['a']);
    expect(transfers.size).toBe(2);
  });
});
