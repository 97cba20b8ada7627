import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import type { AudienceMember } from '../../contacts/index.js';
import { CampaignFeed } from '../application/ports/campaign-feed.js';
import { ClaimLost } from '../application/ports/campaign-runs.js';
import type { SkipReason } from '../domain/campaign-recipient.js';
import type { CampaignRun, FedPortion, WaitingRecipient } from '../domain/campaign-run.js';
import { messageIdsAfter } from '../domain/message-ids.js';
import { leaseFrom } from './lease.js';
import { ADD_RECIPIENTS, ADVANCE, LIST_WAITING, LOCK_CLAIMED, PURGE_DELETED, PURGE_RECIPIENTS } from './run.sql.js';

@Injectable()
export class SqlCampaignFeed extends CampaignFeed {
  constructor(private readonly database: Database) {
    super();
  }

  async addRecipients(
    { accountId, id, claimId, audienceAfter }: CampaignRun,
    members: readonly AudienceMember[],
    lastId: string | null,
    now: Date,
  ): Promise<void> {
    await this.database.run(async () => {
      const [row] = await this.database.query<{ lastId: string }>(LOCK_CLAIMED, [accountId, id, claimId]);
      if (!row) throw claimLost(id);
      const messageIds = messageIdsAfter(row.lastId, now, members.length);
      const recipients = members.map((member, i) => toRecipient(member, messageIds[i] ?? ''));
      await this.database.query(ADD_RECIPIENTS, [
        ...[accountId, id, claimId, leaseFrom(now), messageIds.at(-1) ?? row.lastId],
        ...[lastId ?? audienceAfter, lastId === null, JSON.stringify(recipients)],
      ]);
    });
  }

  listWaiting({ accountId, id, fedUpTo }: CampaignRun, limit: number): Promise<WaitingRecipient[]> {
    return this.database.query<WaitingRecipient>(LIST_WAITING, [accountId, id, fedUpTo, limit]);
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
    if ((await this.database.query(PURGE_RECIPIENTS, [endedBefore, limit])).length === limit) return true;
    await this.database.query(PURGE_DELETED);
    return false;
  }
}

const claimLost = (id: string): ClaimLost => new ClaimLost(`Another worker has the campaign ${id}, or it has stopped`);

function toRecipient({ id: contactId, email, normalisedEmail, status }: AudienceMember, messageId: string) {
  const reason: SkipReason | null = status === 'active' ? null : 'suppressed';
  return { messageId, contactId, email, normalisedEmail, reason };
}
