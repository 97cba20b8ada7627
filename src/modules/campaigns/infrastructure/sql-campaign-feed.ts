import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { CampaignFeed } from '../application/ports/campaign-feed.js';
import { ClaimLost } from '../application/ports/campaign-runs.js';
import { messageIdsAfter, type NewRecipient } from '../domain/campaign-recipient.js';
import type { CampaignRun, FedPortion, WaitingRecipient } from '../domain/campaign-run.js';
import {
  ADD_RECIPIENTS,
  ADVANCE,
  ANALYZE_RECIPIENTS,
  COMPLETE_AUDIENCE,
  IS_OF_CANCELED,
  IS_REMOVED,
  LIST_WAITING,
  LOCK_CLAIMED,
  NEXT_CONTACTS,
  PURGE_RECIPIENTS,
  SAVE_AUDIENCE,
} from './run.sql.js';

@Injectable()
export class SqlCampaignFeed extends CampaignFeed {
  constructor(private readonly database: Database) {
    super();
  }

  async saveAudience(run: CampaignRun, portions: readonly (readonly string[])[]): Promise<void> {
    await this.database.run(async () => {
      const claim = [run.accountId, run.id, run.claimId];
      const lastIds = portions.map((ids) => ids.at(-1));
      const joinedIds = portions.map((ids) => ids.join(' '));
      await this.lockLastId(run);
      if (portions.length === 0) await this.database.query(COMPLETE_AUDIENCE, claim);
      else await this.database.query(SAVE_AUDIENCE, [...claim, lastIds, joinedIds]);
    });
  }

  async nextContacts({ accountId, id, claimId }: CampaignRun): Promise<string[] | null> {
    const [portion] = await this.database.query<{ contactIds: string[] }>(NEXT_CONTACTS, [accountId, id, claimId]);
    return portion?.contactIds ?? null;
  }

  async addRecipients(run: CampaignRun, recipients: readonly NewRecipient[], now: Date): Promise<boolean> {
    const hasMore = await this.database.run(async () => {
      const messageIds = messageIdsAfter(await this.lockLastId(run), now, recipients.length);
      const rows = recipients.map((recipient, i) => ({ ...recipient, messageId: messageIds[i] }));
      const [added] = await this.database.query<{ hasAudience: boolean }>(ADD_RECIPIENTS, [
        ...[run.accountId, run.id, run.claimId, messageIds.at(-1), recipients.at(-1)?.contactId],
        JSON.stringify(rows),
      ]);
      return added?.hasAudience === false;
    });
    if (!hasMore) await this.database.queryWithoutTimeout(ANALYZE_RECIPIENTS);
    return hasMore;
  }

  listWaiting({ accountId, id, fedUpTo }: CampaignRun, limit: number): Promise<WaitingRecipient[]> {
    return this.database.query<WaitingRecipient>(LIST_WAITING, [accountId, id, fedUpTo, limit]);
  }

  async lockClaim(run: CampaignRun): Promise<void> {
    await this.lockLastId(run);
  }

  async advance({ accountId, id, claimId }: CampaignRun, portion: FedPortion): Promise<void> {
    const { fedUpTo, accepted, skipped, waitingFor, pacedUntil } = portion;
    const ids = skipped.map(({ messageId }) => messageId);
    const reasons = skipped.map(({ reason }) => reason);
    const values = [accountId, id, claimId, fedUpTo, accepted, ids, reasons, waitingFor, pacedUntil];
    await this.database.run(async () => {
      if ((await this.database.query(ADVANCE, values)).length === 0) throw new ClaimLost(id);
    });
  }

  async purgeAcrossAccounts(endedBefore: Date | null, limit: number): Promise<boolean> {
    if ((await this.database.query(PURGE_RECIPIENTS, [endedBefore, limit])).length > 0) return true;
    await this.database.deleteInBatches('campaign_audience_portions', IS_OF_CANCELED);
    await this.database.deleteInBatches('campaigns', IS_REMOVED);
    return false;
  }

  /** Locks the campaign and returns the id that all new ones have to follow. */
  private async lockLastId({ accountId, id, claimId }: CampaignRun): Promise<string> {
    const [locked] = await this.database.query<{ lastId: string }>(LOCK_CLAIMED, [accountId, id, claimId]);
    if (!locked) throw new ClaimLost(id);
    return locked.lastId;
  }
}
