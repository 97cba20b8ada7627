import { Injectable } from '@nestjs/common';

import { DatabaseClock } from '../../../platform/database/database-clock.js';
import { Database } from '../../../platform/database/database.js';
import { newId } from '../../../shared/ids.js';
import { type CampaignJob, CampaignRuns, ClaimLost } from '../application/ports/campaign-runs.js';
import type { CampaignRun } from '../domain/campaign-run.js';
import type { PauseReason } from '../domain/campaign.js';
import { CLAIM, FINISH, LIST_DUE, LIST_IDLE, PAUSE, RELEASE, RENEW, RENEW_FOR_SELECTION } from './run.sql.js';

@Injectable()
export class SqlCampaignRuns extends CampaignRuns {
  constructor(
    private readonly database: Database,
    private readonly databaseClock: DatabaseClock,
  ) {
    super();
  }

  async claim(accountId: string, campaignId: string, now: Date): Promise<CampaignRun | null> {
    const values = [accountId, campaignId, newId(now), this.databaseClock.steadyNow()];
    const [run] = await this.database.query<CampaignRun>(CLAIM, values);
    return run ?? null;
  }

  renew(run: CampaignRun): Promise<void> {
    return this.renewBy(RENEW, run);
  }

  renewForSelection(run: CampaignRun): Promise<void> {
    return this.renewBy(RENEW_FOR_SELECTION, run);
  }

  async release({ accountId, id, claimId }: CampaignRun): Promise<void> {
    await this.database.query(RELEASE, [accountId, id, claimId]);
  }

  async finish({ accountId, id, claimId }: CampaignRun, now: Date): Promise<boolean> {
    return (await this.database.query(FINISH, [accountId, id, claimId, now])).length > 0;
  }

  async pause({ accountId, id, claimId }: CampaignRun, reason: PauseReason): Promise<void> {
    await this.database.query(PAUSE, [accountId, id, claimId, reason]);
  }

  listIdleAcrossAccounts(): Promise<CampaignJob[]> {
    return this.database.query<CampaignJob>(LIST_IDLE);
  }

  listDueAcrossAccounts(now: Date): Promise<CampaignJob[]> {
    return this.database.query<CampaignJob>(LIST_DUE, [now]);
  }

  private async renewBy(statement: string, { accountId, id, claimId }: CampaignRun): Promise<void> {
    const renewed = await this.database.query(statement, [accountId, id, claimId]);
    if (renewed.length === 0) throw new ClaimLost(id);
  }
}
