import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { CampaignFeed } from '../application/ports/campaign-feed.js';
import { ClaimLost } from '../application/ports/campaign-runs.js';
import { messageIdsAfter, type NewRecipient } from '../domain/campaign-recipient.js';
import type { CampaignRun, FedPortion, WaitingRecipient } from '../domain/campaign-run.js';
import { leaseFrom } from './sql-campaign-runs.js';
import {
  ADD_RECIPIENTS,
  ADVANCE,
  COMPLETE_AUDIENCE,
  LIST_WAITING,
  LOCK_CLAIMED,
  NEXT_CONTACTS,
  PURGE_DELETED,
  PURGE_PORTIONS,
  PURGE_RECIPIENTS,
  SAVE_AUDIENCE,
} from './run.sql.js';

@Injectable()
export class SqlCampaignFeed extends CampaignFeed {
  constructor(private readonly database: Database) {
    super();
  }

  async saveAudience({ accountId, id, claimId }: CampaignRun, portions: readonly (readonly string[])[]): Promise<void> {
    await this.database.run(async () => {
      const claim = [accountId, id, claimId];
      const lastIds = portions.map((ids) => ids.at(-1));
      const joinedIds = portions.map((ids) => ids.join(' '));
      if ((await this.database.query(LOCK_CLAIMED, claim)).length === 0) throw claimLost(id);
      if (portions.length === 0) await this.database.query(COMPLETE_AUDIENCE, claim);
      else await this.database.query(SAVE_AUDIENCE, [...claim, lastIds, joinedIds]);
    });
  }

  async nextContacts({ accountId, id, claimId }: CampaignRun): Promise<string[] | null> {
    const [portion] = await this.database.query<{ contactIds: string[] }>(NEXT_CONTACTS, [accountId, id, claimId]);
    return portion?.contactIds ?? null;
  }

  async addRecipients(
    { accountId, id, claimId }: CampaignRun,
    recipients: readonly NewRecipient[],
    now: Date,
  ): Promise<boolean> {
    return this.database.run(async () => {
      const [locked] = await this.database.query<{ lastId: string }>(LOCK_CLAIMED, [accountId, id, claimId]);
      if (!locked) throw claimLost(id);
      const messageIds = messageIdsAfter(locked.lastId, now, recipients.length);
      const rows = recipients.map((recipient, i) => ({ ...recipient, messageId: messageIds[i] }));
      const [added] = await this.database.query<{ hasAudience: boolean }>(ADD_RECIPIENTS, [
        ...[accountId, id, claimId, leaseFrom(now), messageIds.at(-1), recipients.at(-1)?.contactId],
        JSON.stringify(rows),
      ]);
      return added?.hasAudience === false;
    });
  }

  listWaiting({ accountId, id, fedUpTo }: CampaignRun, limit: number): Promise<WaitingRecipient[]> {
    return this.database.query<WaitingRecipient>(LIST_WAITING, [accountId, id, fedUpTo, limit]);
  }

  async lockClaim({ accountId, id, claimId }: CampaignRun): Promise<void> {
    if ((await this.database.query(LOCK_CLAIMED, [accountId, id, claimId])).length === 0) throw claimLost(id);
  }

  async advance({ accountId, id, claimId }: CampaignRun, portion: FedPortion, now: Date): Promise<void> {
    const { fedUpTo, accepted, skipped, waitingFor, pacedUntil } = portion;
    const ids = skipped.map(({ messageId }) => messageId);
    const reasons = skipped.map(({ reason }) => reason);
    const values = [accountId, id, claimId, leaseFrom(now), fedUpTo, accepted, ids, reasons, waitingFor, pacedUntil];
    await this.database.run(async () => {
      if ((await this.database.query(ADVANCE, values)).length === 0) throw claimLost(id);
    });
  }

  async purgeAcrossAccounts(endedBefore: Date | null, limit: number): Promise<boolean> {
    if ((await this.database.query(PURGE_RECIPIENTS, [endedBefore, limit])).length > 0) return true;
    await this.database.query(PURGE_PORTIONS);
    await this.database.query(PURGE_DELETED);
    return false;
  }
}

const claimLost = (id: string): ClaimLost => new ClaimLost(`Another worker has the campaign ${id}, or it has stopped`);
