import { describe, expect, it } from '@jest/globals';

import type { TransactionOptions } from '../../../shared/ports/transaction-runner.js';
import type { ChangeCampaign } from './change-campaign.service.js';
import type { CampaignFeed } from './ports/campaign-feed.js';
import type { CampaignRuns } from './ports/campaign-runs.js';
import { SweepCampaigns } from './sweep-campaigns.service.js';

describe('SweepCampaigns', () => {
  it('starts the campaigns of other accounts while one waits for the locks of its account, and not for long', async () => {
    const due = [
      { accountId: 'busy', campaignId: '1' },
      { accountId: 'busy', campaignId: '2' },
      { accountId: 'other', campaignId: '3' },
    ];
    const begun: string[] = [];
    const waits = new Set<number | undefined>();
    let unlock: () => void = () => undefined;
    const locked = new Promise<void>((resolve) => (unlock = resolve));
    const change = (accountId: string, id: string, _change: unknown, options?: TransactionOptions) => {
      begun.push(id);
      waits.add(options?.maxLockWaitMs);
      return accountId === 'busy' ? locked : Promise.resolve();
    };
    const sweep = new SweepCampaigns(
      {
        listIdleAcrossAccounts: () => Promise.resolve([]),
        listDueAcrossAccounts: () => Promise.resolve(due),
      } as unknown as CampaignRuns,
      {} as CampaignFeed,
      { change } as unknown as ChangeCampaign,
      { enqueue: () => Promise.resolve() },
      {} as never,
      { now: () => new Date(0), catchUp: () => Promise.resolve() },
    ).sweep();
    await new Promise(setImmediate);
    expect(begun).toEqual(['1', '3']);
    unlock();
    await sweep;
    expect([begun, waits]).toEqual([['1', '3', '2'], new Set([500])]);
  });
});
