import { availableParallelism } from 'node:os';

import { describe, expect, it } from '@jest/globals';

import type { Config } from '../../../config/config.js';
import type { RequestsInFlight } from '../../../platform/metrics/requests-in-flight.js';
import { FairPasswordHashingQueue } from './fair-password-hashing-queue.js';

const createQueue = () =>
  new FairPasswordHashingQueue(
    { wait: () => () => undefined } as unknown as RequestsInFlight,
    { processes: 1 } as Config,
  );

describe('FairPasswordHashingQueue', () => {
  /** Fills all permits, so that every further task waits until `release` is called. */
  async function setUp() {
    const queue = createQueue();
    const order: string[] = [];
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const permits = availableParallelism() > 2 ? 2 : 1;
    const running = Promise.all(Array.from({ length: permits }, () => queue.run('busy', () => released)));
    const run = (client: string, name = client) =>
      queue.run(client, () => {
        order.push(name);
        return Promise.resolve(name);
      });
    await Promise.resolve();
    return { run, order, release, running };
  }

  it('serves waiting clients round-robin', async () => {
    const { run, order, release } = await setUp();
    const waiting = [run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('b', 'b1'), run('c', 'c1')];
    release();
    await Promise.all(waiting);
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
  });

  it('frees its permit after a task that fails', async () => {
    const queue = createQueue();
    for (let i = 0; i < 5; i++) {
      await expect(queue.run('a', () => Promise.reject(new Error('No such user')))).rejects.toThrow('No such user');
    }
    expect(await queue.run('a', () => Promise.resolve('done'))).toBe('done');
  });

  it('refuses further tasks of the client that fills the queue, and evicts its newest for others', async () => {
    const { run, order, release } = await setUp();
    const flood = Array.from({ length: 50 }, (_, i) => run('flood', `flood ${i}`).catch((error: unknown) => error));
    const refused = { kind: 'unavailable', code: 'overloaded', retryAfterSeconds: 1 };
    const outcomes = Promise.all(flood);
    await expect(Promise.all([run('flood'), run('flood')])).rejects.toMatchObject(refused);
    const other = run('other');
    release();
    expect(await other).toBe('other');
    const results = await outcomes;
    expect(results.filter((result) => result instanceof Error)).toEqual([expect.objectContaining(refused)]);
    expect(results.at(-1)).toMatchObject(refused);
    expect(order.indexOf('other')).toBeLessThan(3);
  });
});
