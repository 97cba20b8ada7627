import { afterEach, describe, expect, it, jest } from '@jest/globals';

import type { NewJob } from '../../../shared/ports/job-queue.js';
import type { CampaignRun } from '../domain/campaign-run.js';
import type { FeedCampaign } from './feed-campaign.service.js';
import { type CampaignRuns, ClaimLost } from './ports/campaign-runs.js';
import { RunCampaign } from './run-campaign.service.js';
import type { WriteAudience } from './write-audience.service.js';

const CLOCK = { now: () => new Date(0), catchUp: () => Promise.resolve() };

function runWith(
  step: () => Promise<number | null>,
  claimed = true,
  audience: ('written' | 'complete' | 'paused')[] = [],
) {
  const calls: string[] = [];
  const jobs: NewJob[] = [];
  const run = { id: 'c1', accountId: 'a1', hasAudience: audience.length === 0 } as CampaignRun;
  const service = new RunCampaign(
    {
      claim: () => Promise.resolve(claimed ? run : null),
      release: () => Promise.resolve(void calls.push('release')),
    } as unknown as CampaignRuns,
    {
      step: () => {
        const result = audience.shift() ?? 'complete';
        calls.push(result);
        run.hasAudience = result === 'complete';
        return Promise.resolve(result !== 'paused');
      },
    } as unknown as WriteAudience,
    {
      step: () => {
        calls.push('step');
        return step();
      },
    } as unknown as FeedCampaign,
    { enqueue: (added) => Promise.resolve(void jobs.push(...added)) },
    CLOCK,
  );
  return { service, calls, jobs };
}

describe('RunCampaign', () => {
  const never = new AbortController().signal;

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('writes the audience to its end before it feeds anybody', async () => {
    const { service, calls, jobs } = runWith(() => Promise.resolve(null), true, ['written', 'written', 'complete']);
    await service.run('a1', 'c1', never);
    expect(calls).toEqual(['written', 'written', 'complete', 'step', 'release']);
    expect(jobs).toEqual([]);
  });

  it('feeds nobody if the campaign was paused before its audience is written', async () => {
    const { service, calls, jobs } = runWith(() => Promise.resolve(null), true, ['paused']);
    await service.run('a1', 'c1', never);
    expect(calls).toEqual(['paused']);
    expect(jobs).toEqual([]);
  });

  it('leaves a campaign alone that another worker has', async () => {
    const { service, calls } = runWith(() => Promise.resolve(null), false);
    await service.run('a1', 'c1', never);
    expect(calls).toEqual([]);
  });

  it('ends without a word when it loses the claim, and with any other error', async () => {
    const lost = runWith(() => Promise.reject(new ClaimLost('gone')));
    await lost.service.run('a1', 'c1', never);
    expect(lost.calls).toEqual(['step']);
    const failed = runWith(() => Promise.reject(new Error('down')));
    await expect(failed.service.run('a1', 'c1', never)).rejects.toThrow('down');
  });

  it('lets others have its slot after a minute', async () => {
    const times = [0, 0, 59_999, 60_000];
    jest.spyOn(performance, 'now').mockImplementation(() => times.shift() ?? 60_000);
    const { service, calls, jobs } = runWith(() => Promise.resolve(0));
    await service.run('a1', 'c1', never);
    expect(calls).toEqual(['step', 'step', 'release']);
    expect(jobs).toEqual([{ name: 'run-campaign', payload: { accountId: 'a1', campaignId: 'c1' } }]);
  });

  it('releases the campaign when the process stops', async () => {
    const stopping = new AbortController();
    const { service, calls, jobs } = runWith(() => {
      stopping.abort();
      return Promise.resolve(5_000);
    });
    await service.run('a1', 'c1', stopping.signal);
    expect(calls).toEqual(['step', 'release']);
    expect(jobs).toEqual([]);
  });
});
