import { describe, expect, it } from '@jest/globals';

import { planFaults } from './plan.js';

const faults = (steps: ReturnType<typeof planFaults>) => steps.map(({ fault }) => fault);

describe('The plan', () => {
  it('follows from the seed alone', () => {
    expect(planFaults(7, 60, 'redis')).toEqual(planFaults(7, 60, 'redis'));
    expect(faults(planFaults(7, 60, 'redis'))).not.toEqual(faults(planFaults(8, 60, 'redis')));
  });

  it.each([1, 2, 3, 99])('has every fault and kills both processes of a kind, seed %d', (seed) => {
    const steps = planFaults(seed, 60, 'redis');
    expect(new Set(faults(steps)).size).toBe(16);
    for (const kind of ['kill-worker', 'kill-api']) {
      expect(new Set(steps.filter(({ fault }) => fault === kind).map(({ which }) => which))).toEqual(new Set([0, 1]));
    }
  });

  it('leaves Redis alone where there is none', () => {
    expect(faults(planFaults(1, 60, 'postgres')).filter((fault) => fault.endsWith('redis'))).toEqual([]);
  });

  it('ends early enough for the leases of what it lost, and goes on longer in a longer run', () => {
    expect(Math.max(...planFaults(1, 60, 'redis').map(({ atMs }) => atMs))).toBeLessThan(36_000);
    expect(planFaults(1, 600, 'redis').length).toBeGreaterThan(10 * 16);
  });
});
