import { Logger } from '@nestjs/common';
import { beforeAll, describe, expect, it } from '@jest/globals';

import { MAX_ATTEMPTS_PER_ENDPOINT } from '../../../config/limits.js';
import { nextIteration } from '../../../../test/support/event-loop.js';
import { Claims } from '../domain/claims.js';
import type { ClaimedDelivery } from '../domain/webhook-delivery.js';
import type { Attempt, AttemptReport } from './attempt-delivery.service.js';
import { EndpointLane } from './endpoint-lane.js';

const FIRST_LIMIT = 10;
const MAX_PREFETCH = 128;
/** Even when some of it has been used: the lane claims more when half is left. */
const ENOUGH_PREFETCHED = MAX_PREFETCH / 2 + 10;

const delivery = (id: number, accountId = 'a') => ({ id: String(id), accountId }) as ClaimedDelivery;
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await nextIteration();
}
const attemptWith = (state: Attempt['outcome']['state']) => ({ outcome: { state } }) as Attempt;

/** A lane over deliveries that are due and posts that the test answers. */
class LaneFixture {
  readonly claims = new Claims();
  readonly reports: AttemptReport[] = [];
  readonly claimed: number[] = [];
  readonly released: string[] = [];
  readonly posted: string[] = [];
  readonly lane: EndpointLane;
  failToRelease = false;
  private readonly due: ClaimedDelivery[];
  private readonly posts: { id: string; answer: (attempt: Attempt | null) => void }[] = [];
  private readonly stop = new AbortController();

  constructor(due: number) {
    this.due = Array.from({ length: due }, (_, i) => delivery(i));
    this.lane = new EndpointLane({
      endpointId: 'e',
      claims: this.claims,
      stopping: this.stop.signal,
      report: (report) => this.reports.push(report),
      deliveries: {
        claimAcrossAccounts: (_, limit) => {
          this.claimed.push(limit);
          return Promise.resolve(this.due.splice(0, limit));
        },
        release: (deliveries) => {
          if (this.failToRelease) return Promise.reject(new Error('The database is away'));
          this.released.push(...deliveries.map(({ id }) => id));
          this.due.unshift(...deliveries);
          return Promise.resolve();
        },
      },
      attempts: {
        attempt: ({ id }) => {
          this.posted.push(id);
          return new Promise((answer) => this.posts.push({ id, answer }));
        },
        record: (claimed, attempt) =>
          Promise.resolve({
            delivery: claimed,
            statusCode: null,
            durationMs: 0,
            outcome: attempt?.outcome.state ?? 'claim_lost',
          }),
      },
    });
  }

  get underWay(): number {
    return this.posts.length;
  }

  abort(): void {
    this.stop.abort();
  }

  /** Answers the oldest posts under way. */
  async answer(attempt: Attempt | null, count = 1): Promise<void> {
    for (const post of this.posts.splice(0, count)) post.answer(attempt);
    await nextIteration();
  }

  /** Answers every post, including those that follow, until the lane is idle. */
  async answerAll(attempt: Attempt | null): Promise<void> {
    while (!this.lane.isIdle) await this.answer(attempt, this.underWay);
  }

  get prefetched(): number {
    return this.claims.size - this.underWay;
  }

  /** Drains with successes until the window is at its highest and so much is prefetched that no claim follows. */
  async warmUp(): Promise<void> {
    while (this.underWay < MAX_ATTEMPTS_PER_ENDPOINT || this.prefetched < ENOUGH_PREFETCHED) {
      const before = this.underWay;
      await this.answer(attemptWith('delivered'));
      await until(() =>
        before < MAX_ATTEMPTS_PER_ENDPOINT ? this.underWay > before : this.prefetched > MAX_PREFETCH / 2,
      );
    }
  }
}

beforeAll(() => {
  Logger.overrideLogger(false);
});

describe('EndpointLane', () => {
  it('delivers everything that is due and becomes idle', async () => {
    const fixture = new LaneFixture(300);
    const drained = fixture.lane.drain();
    await fixture.answerAll(attemptWith('delivered'));
    await drained;
    expect(fixture.reports).toHaveLength(300);
    expect(fixture.reports.every(({ outcome }) => outcome === 'delivered')).toBe(true);
    expect(new Set(fixture.posted).size).toBe(300);
    expect(fixture.claims.size).toBe(0);
    expect(fixture.lane.isIdle).toBe(true);
  });

  it('starts with ten concurrent attempts and claims no more than that', async () => {
    const fixture = new LaneFixture(100);
    void fixture.lane.drain();
    await nextIteration();
    expect(fixture.underWay).toBe(FIRST_LIMIT);
    expect(fixture.claimed).toEqual([FIRST_LIMIT]);
  });

  it('prefetches claims once the window is at its highest', async () => {
    const fixture = new LaneFixture(1_000);
    void fixture.lane.drain();
    await fixture.warmUp();
    expect(fixture.underWay).toBe(MAX_ATTEMPTS_PER_ENDPOINT);
    expect(fixture.claims.size).toBeGreaterThan(MAX_ATTEMPTS_PER_ENDPOINT);
    expect(fixture.claims.size).toBeLessThanOrEqual(MAX_ATTEMPTS_PER_ENDPOINT + MAX_PREFETCH);
  });

  it('refills a free slot from the prefetch without another claim', async () => {
    const fixture = new LaneFixture(1_000);
    void fixture.lane.drain();
    await fixture.warmUp();
    const [claims, posted] = [fixture.claimed.length, fixture.posted.length];
    await fixture.answer(attemptWith('delivered'), 5);
    expect(fixture.posted).toHaveLength(posted + 5);
    expect(fixture.claimed).toHaveLength(claims);
  });

  it('halves its attempts and releases the prefetch when one fails', async () => {
    const fixture = new LaneFixture(1_000);
    void fixture.lane.drain();
    await fixture.warmUp();
    const { prefetched } = fixture;
    await fixture.answer(attemptWith('retrying'));
    expect(fixture.released).toHaveLength(prefetched);
    expect(fixture.claims.size).toBe(MAX_ATTEMPTS_PER_ENDPOINT - 1);
    const posted = fixture.posted.length;
    await fixture.answer(attemptWith('delivered'), 10);
    expect(fixture.posted).toHaveLength(posted);
  });

  it('claims released deliveries again until they are delivered', async () => {
    const fixture = new LaneFixture(400);
    const drained = fixture.lane.drain();
    await fixture.warmUp();
    await fixture.answer(attemptWith('failed_permanent'));
    await fixture.answerAll(attemptWith('delivered'));
    await drained;
    expect(fixture.reports).toHaveLength(400);
    expect(new Set(fixture.posted).size).toBe(400);
  });

  it('begins no attempt after a stop, releases the prefetch and waits for the attempts under way', async () => {
    const fixture = new LaneFixture(1_000);
    let isDrained = false;
    const drained = fixture.lane.drain().then(() => (isDrained = true));
    await fixture.warmUp();
    const [posted, prefetched] = [fixture.posted.length, fixture.prefetched];
    fixture.abort();
    await fixture.answer(attemptWith('delivered'));
    await until(() => fixture.released.length === prefetched);
    expect(isDrained).toBe(false);
    await fixture.answer(attemptWith('delivered'), fixture.underWay);
    await drained;
    expect(fixture.posted).toHaveLength(posted);
    expect(fixture.claims.size).toBe(0);
  });

  it('treats a lost lease as a failure and reports it', async () => {
    const fixture = new LaneFixture(12);
    const drained = fixture.lane.drain();
    await nextIteration();
    await fixture.answer(null);
    expect(fixture.reports.map(({ outcome }) => outcome)).toEqual(['claim_lost']);
    expect(fixture.underWay).toBe(FIRST_LIMIT - 1);
    await fixture.answerAll(attemptWith('delivered'));
    await drained;
    expect(fixture.reports).toHaveLength(12);
  });

  it('keeps one attempt under way while its account has its fair share of the claims', async () => {
    const fixture = new LaneFixture(100);
    for (let i = 0; i < 600; i++) fixture.claims.add(delivery(i, 'a'));
    for (let i = 0; i < 600; i++) fixture.claims.add(delivery(i, 'b'));
    void fixture.lane.drain();
    await nextIteration();
    expect([fixture.claimed.length, fixture.underWay]).toEqual([1, 1]);
    await fixture.answer(attemptWith('delivered'));
    await until(() => fixture.claimed.length > 1);
    await nextIteration();
    expect(fixture.underWay).toBe(1);
  });

  it('grows beside an account that has more than its fair share, once it knows its own account', async () => {
    const fixture = new LaneFixture(100);
    for (let i = 0; i < 1_000; i++) fixture.claims.add(delivery(i, 'b'));
    void fixture.lane.drain();
    await until(() => fixture.underWay === FIRST_LIMIT);
    expect(fixture.claimed[0]).toBe(1);
  });

  it('forgets claims that could not be released: their leases run out', async () => {
    const fixture = new LaneFixture(1_000);
    const drained = fixture.lane.drain();
    await fixture.warmUp();
    fixture.failToRelease = true;
    fixture.abort();
    await fixture.answer(attemptWith('delivered'), fixture.underWay);
    await drained;
    expect(fixture.released).toEqual([]);
    expect(fixture.claims.size).toBe(0);
  });

  it('claims again when it is drained while attempts are under way', async () => {
    const fixture = new LaneFixture(3);
    const drains = [fixture.lane.drain()];
    await nextIteration();
    expect(fixture.claimed).toEqual([FIRST_LIMIT]);
    drains.push(fixture.lane.drain());
    await nextIteration();
    expect(fixture.claimed).toEqual([FIRST_LIMIT, FIRST_LIMIT - 3]);
    await fixture.answerAll(attemptWith('delivered'));
    await Promise.all(drains);
    expect(fixture.reports).toHaveLength(3);
  });

  it('is idle only when no drain waits for an outcome', async () => {
    const fixture = new LaneFixture(1);
    expect(fixture.lane.isIdle).toBe(true);
    const drained = fixture.lane.drain();
    await nextIteration();
    expect(fixture.lane.isIdle).toBe(false);
    await fixture.answer(attemptWith('delivered'));
    await drained;
    expect(fixture.lane.isIdle).toBe(true);
  });
});
