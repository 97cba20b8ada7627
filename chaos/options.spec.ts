import { describe, expect, it } from '@jest/globals';

import { readOptions, splitSeries } from './options.js';

describe('The options', () => {
  it('default to a minute at 200 sends per second', () => {
    expect(readOptions(['--seed', '1'])).toEqual({ goal: { seconds: 60 }, rate: 200, seed: 1, queue: 'postgres' });
  });

  it('set a number of messages, sent as fast as they are accepted or at a rate', () => {
    expect(readOptions(['--messages', '1000000'])).toMatchObject({ goal: { messages: 1_000_000 }, rate: null });
    expect(readOptions(['--messages', '1000000', '--rate', '500'])).toMatchObject({ rate: 500 });
  });

  it('of a series are a number of runs or the seeds, and those of each run', () => {
    expect(splitSeries(['--runs', '3', '--queue', 'redis'])).toEqual({
      ...{ runs: 3, seeds: null, rest: ['--queue', 'redis'] },
    });
    expect(splitSeries(['--seeds=1,14673', '--seconds=30'])).toMatchObject({
      ...{ seeds: [1, 14_673], rest: ['--seconds', '30'] },
    });
    expect(() => splitSeries(['--runs', '0'])).toThrow(/--runs is a whole number/);
    expect(() => splitSeries(['--seeds', '1,x'])).toThrow(/--seed is a whole number/);
  });

  it.each([
    [['--seconds', '60', '--messages', '10'], /Either --seconds or --messages/],
    [['--seconds', '1.5'], /--seconds is a whole number/],
    [['--messages', '0'], /--messages is a whole number/],
    [['--rate', '0'], /--rate is a whole number/],
    [['--queue', 'kafka'], /--queue is postgres or redis/],
  ])('refuse %j', (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });
});
