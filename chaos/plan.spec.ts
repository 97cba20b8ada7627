import { describe, expect, it } from '@jest/globals';

import { planFaults, planWithoutEnd, type Step } from './plan.js';

const faults = (steps: readonly Step[]) => steps.map(({ fault }) => fault);
const killed = (steps: readonly Step[], kind: 'worker' | 'api') =>
  steps.filter(({ fault }) => fault === `kill-${kind}` || (kind === 'worker' && fault === 'skew-worker'));
const find = (steps: readonly Step[], fault: Step['fault']) => steps.find((step) => step.fault === fault)!;

describe('The plan', () => {
  it('is determined by the seed', () => {
    expect(planFaults(7, 60, 'redis')).toEqual(planFaults(7, 60, 'redis'));
    expect(faults(planFaults(7, 60, 'redis'))).not.toEqual(faults(planFaults(8, 60, 'redis')));
  });

  it.each([1, 2, 3, 99])('has every fault, and kills each worker, seed %d', (seed) => {
    const steps = planFaults(seed, 60, 'redis');
    expect(new Set(faults(steps)).size).toBe(21);
    expect(new Set(killed(steps, 'worker').map(({ process }) => process))).toEqual(new Set(['worker 1', 'worker 2']));
    expect(killed(steps, 'api')).toHaveLength(2);
  });

  it('has no Redis faults without Redis', () => {
    expect(faults(planFaults(1, 60, 'postgres')).filter((fault) => fault.endsWith('redis'))).toEqual([]);
  });

  it.each([1, 2, 3, 99])('skews and stops different workers, one after the other, seed %d', (seed) => {
    const steps = planFaults(seed, 60, 'postgres');
    const [skewed, stopped] = [find(steps, 'skew-worker'), find(steps, 'stop-worker')];
    expect(skewed.process).not.toBe(stopped.process);
    expect(stopped.atMs).toBeGreaterThanOrEqual(skewed.atMs + skewed.forMs);
    expect(stopped.forMs).toBe(45_000);
    expect(find(steps, 'stop-api').forMs).toBe(45_000);
  });

  it.each([1, 2, 3, 99])('kills no process that is skewed or stopped, seed %d', (seed) => {
    const steps = planFaults(seed, 200, 'postgres');
    const long = steps.filter(({ fault }) => fault === 'skew-worker' || fault.startsWith('stop-'));
    const affected = steps.filter(({ fault, process, atMs }) =>
      long.some(
        (step) =>
          fault.startsWith('kill-') && step.process === process && atMs >= step.atMs && atMs < step.atMs + step.forMs,
      ),
    );
    expect(affected).toEqual([]);
  });

  it('ends brief faults early enough for the leases of lost messages, and is longer for a longer run', () => {
    const brief = planFaults(1, 60, 'redis').filter(({ forMs }) => forMs < 5_000);
    expect(Math.max(...brief.map(({ atMs }) => atMs))).toBeLessThan(45_000);
    expect(planFaults(1, 600, 'redis').length).toBeGreaterThan(8 * 21);
  });

  it('can continue without end, in rounds', () => {
    const steps: Step[] = [];
    for (const step of planWithoutEnd(5, 'postgres')) if (steps.push(step) > 200) break;
    expect(faults(steps).filter((fault) => fault === 'stop-worker').length).toBeGreaterThan(9);
    expect(steps.map(({ atMs }) => atMs)).toEqual(steps.map(({ atMs }) => atMs).sort((a, b) => a - b));
  });
});
