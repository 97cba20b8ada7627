import { Logger } from '@nestjs/common';
import { afterEach, describe, expect, it, jest } from '@jest/globals';

import { nextIteration } from '../../../test/support/event-loop.js';
import type { Config } from '../../config/config.js';
import { Poll } from './poll.js';

class TestPoll extends Poll {
  protected readonly failure = 'Nothing is done';
  readonly runs: { end: (error?: Error) => void; stopping: AbortSignal }[] = [];

  constructor(role: Config['role'] = 'worker') {
    super({ role } as Config);
  }

  protected run(stopping: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.runs.push({
        stopping,
        end: (error) => {
          if (error) reject(error);
          else resolve();
        },
      });
    });
  }
}

describe('Poll', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('has one run at a time', async () => {
    const poll = new TestPoll();
    poll.poll();
    poll.poll();
    expect(poll.runs).toHaveLength(1);
    poll.runs[0]!.end();
    await nextIteration();
    poll.poll();
    expect(poll.runs).toHaveLength(2);
  });

  it('ends with its last run', async () => {
    const poll = new TestPoll();
    poll.poll();
    poll.onModuleDestroy();
    expect(poll.runs[0]!.stopping.aborted).toBe(true);
    let hasEnded = false;
    const ended = poll.beforeApplicationShutdown().then(() => (hasEnded = true));
    await nextIteration();
    expect(hasEnded).toBe(false);
    poll.runs[0]!.end();
    await ended;
    poll.poll();
    expect(poll.runs).toHaveLength(1);
  });

  it('logs an outage once', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const poll = new TestPoll();
    const outcomes = [new Error('down'), new Error('down'), undefined, new Error('down')];
    for (const [i, outcome] of outcomes.entries()) {
      poll.poll();
      poll.runs[i]!.end(outcome);
      await nextIteration();
    }
    expect(error.mock.calls.map(([message]) => message)).toEqual(['Nothing is done: down', 'Nothing is done: down']);
  });

  it('does not run in a process that is no worker', () => {
    const poll = new TestPoll('api');
    poll.poll();
    expect(poll.runs).toEqual([]);
  });
});
