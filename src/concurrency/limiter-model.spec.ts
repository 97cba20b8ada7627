import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { nextIteration } from '../../test/support/event-loop.js';
import { Limiter, type Limits } from './limiter.js';

describe('A limiter', () => {
  it('starts, keeps and refuses calls like a model', async () => {
    const actions = fc.array(
      fc.oneof(
        {
          weight: 3,
          arbitrary: fc.record({ key: fc.constantFrom('a', 'b', 'c'), weight: fc.integer({ min: 1, max: 4 }) }),
        },
        { weight: 2, arbitrary: fc.record({ end: fc.nat(20) }) },
        { weight: 1, arbitrary: fc.record({ abort: fc.nat(20) }) },
      ),
      { maxLength: 40, size: 'max' },
    );
    const limits = fc.record({
      total: fc.integer({ min: 1, max: 6 }),
      perKey: fc.integer({ min: 1, max: 4 }),
      maxWaiting: fc.integer({ min: 0, max: 8 }),
      maxWaitingPerKey: fc.integer({ min: 0, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(limits, actions, async (limits, actions) => {
        const actual = new ActualCalls(limits);
        const model = new Model(limits);
        let called = 0;
        for (const action of actions) {
          if ('key' in action) for (const calls of [actual, model]) calls.call(called, action.key, action.weight);
          else if ('end' in action) for (const calls of [actual, model]) calls.end(action.end % (called + 1));
          else for (const calls of [actual, model]) calls.abort(action.abort % (called + 1));
          if ('key' in action) called += 1;
          await nextIteration();
          expect(actual.states).toEqual(model.states);
        }
        while (actual.states.includes('running')) {
          for (let id = 0; id < called; id++) actual.end(id);
          await nextIteration();
        }
        expect(actual.isIdle()).toBe(true);
      }),
    );
  });
});

type State = 'waiting' | 'running' | 'ended' | 'refused';
type BoundedLimits = Required<Pick<Limits, 'maxWaiting' | 'maxWaitingPerKey' | 'total'>> & { perKey: number };

class ActualCalls {
  readonly states: State[] = [];
  private readonly limiter: Limiter;
  private readonly controllers: AbortController[] = [];
  private readonly ends: (() => void)[] = [];

  constructor(private readonly limits: BoundedLimits) {
    this.limiter = new Limiter(limits);
  }

  call(id: number, key: string, weight: number): void {
    const { signal } = (this.controllers[id] = new AbortController());
    this.states[id] = 'waiting';
    const work = () => {
      this.states[id] = 'running';
      return new Promise<void>((end) => (this.ends[id] = end));
    };
    this.limiter.run(key, work, { weight, signal }).then(
      () => (this.states[id] = 'ended'),
      () => (this.states[id] = 'refused'),
    );
  }

  end(id: number): void {
    this.ends[id]?.();
  }

  abort(id: number): void {
    this.controllers[id]?.abort();
  }

  /** Whether all permits have been returned. */
  isIdle(): boolean {
    const { total, perKey } = this.limits;
    return this.limiter.waiting === 0 && this.limiter.tryAcquire('d', Math.min(total, perKey)) !== null;
  }
}

/** Checks all calls after each action. */
class Model {
  private readonly calls: { key: string; weight: number; state: State }[] = [];
  /** Keys whose next call fits into their own limit, in the order in which they came to be. */
  private turns: string[] = [];
  /** Keys that are in use or waiting, in the order in which they came to be. */
  private lanes: string[] = [];

  constructor(private readonly limits: BoundedLimits) {}

  get states(): State[] {
    return this.calls.map(({ state }) => state);
  }

  call(_id: number, key: string, weight: number): void {
    const { maxWaiting, maxWaitingPerKey } = this.limits;
    const call = { key, weight, state: 'waiting' as State };
    const mustWait =
      this.turns.length > 0 || this.waiting(key).length > 0 || !this.fitsKey(call) || !this.fitsTotal(call);
    const longest = Math.max(...this.calls.map((other) => this.waiting(other.key).length), 0);
    const own = this.waiting(key).length;
    if (mustWait && (own >= maxWaitingPerKey || (this.waiting().length >= maxWaiting && longest <= own + 1)))
      call.state = 'refused';
    else if (mustWait && this.waiting().length >= maxWaiting) this.evictFrom(longest);
    this.calls.push(call);
    this.settle();
  }

  end(id: number): void {
    const call = this.calls[id];
    if (call?.state === 'running') call.state = 'ended';
    this.settle();
  }

  abort(id: number): void {
    const call = this.calls[id];
    if (call?.state === 'waiting') call.state = 'refused';
    this.settle();
  }

  private evictFrom(longest: number): void {
    const key = this.lanes.find((key) => this.waiting(key).length === longest);
    const newest = this.waiting(key).at(-1);
    if (newest) newest.state = 'refused';
  }

  private settle(): void {
    const isKept = (key: string) => this.weights(key).length > 0 || this.waiting(key).length > 0;
    this.lanes = [...new Set([...this.lanes, ...this.calls.map(({ key }) => key)])].filter(isKept);
    for (;;) {
      const isReady = (key: string) =>
        this.waiting(key)
          .slice(0, 1)
          .some((next) => this.fitsKey(next));
      const kept = this.turns.filter(isReady);
      this.turns = [...kept, ...['a', 'b', 'c'].filter((key) => !kept.includes(key) && isReady(key))];
      const [key] = this.turns;
      const next = key === undefined ? undefined : this.waiting(key)[0];
      if (!next || !this.fitsTotal(next)) return;
      next.state = 'running';
      this.turns.shift();
    }
  }

  private waiting(key?: string) {
    return this.calls.filter((call) => call.state === 'waiting' && (key === undefined || call.key === key));
  }

  /** The weights of running calls. */
  private weights(key?: string): number[] {
    return this.calls
      .filter((call) => call.state === 'running' && (key === undefined || call.key === key))
      .map(({ weight }) => weight);
  }

  private fitsKey({ key, weight }: { key: string; weight: number }): boolean {
    return fits([...this.weights(key), weight], this.limits.perKey);
  }

  private fitsTotal({ weight }: { weight: number }): boolean {
    return fits([...this.weights(), weight], this.limits.total);
  }
}

/** Whether the weights fit into the limit. A weight above the limit uses all of it. */
const fits = (weights: readonly number[], limit: number): boolean =>
  weights.reduce((sum, weight) => sum + Math.min(weight, limit), 0) <= limit;
