import { setImmediate as nextIteration } from 'node:timers/promises';

import { afterEach, describe, expect, it, jest } from '@jest/globals';

import { BulkTurns, MESSAGES_PER_PAUSED_TURN, PAUSE_MS } from './bulk-turns.js';

describe('BulkTurns', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('lets ten messages begin in an iteration of the event loop, in order, and others in between', async () => {
    const turns = new BulkTurns();
    const order: string[] = [];
    const begin = async (name: string) => {
      await turns.next();
      order.push(name);
    };
    const names = Array.from({ length: 25 }, (_, i) => `bulk ${i}`);
    const messages = names.map(begin);
    const other = (async () => {
      for (let i = 0; i < 3; i++) {
        await nextIteration();
        order.push('other');
      }
    })();
    await Promise.all([...messages, other]);
    expect(order).toEqual([
      ...names.slice(0, 10),
      'other',
      ...names.slice(10, 20),
      'other',
      ...names.slice(20),
      'other',
    ]);
  });

  it('pauses before a few messages at a time while others are active, and not afterwards', async () => {
    let now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const timeouts = jest.spyOn(globalThis, 'setTimeout'); // of the whole process
    const pauses = () => timeouts.mock.calls.filter(([, ms]) => ms === PAUSE_MS);
    const turns = new BulkTurns();
    turns.yieldToOthers();
    await Promise.all(Array.from({ length: MESSAGES_PER_PAUSED_TURN + 1 }, () => turns.next()));
    expect(pauses()).toHaveLength(2);
    now += 500;
    await turns.next();
    expect(pauses()).toHaveLength(2);
  });
});
