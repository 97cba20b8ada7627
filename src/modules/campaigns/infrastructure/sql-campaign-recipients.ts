import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { CampaignRecipients } from '../application/ports/campaign-recipients.js';
import { type ListedRecipient, messageIdsAfter, type RecipientOutcome } from '../domain/campaign-recipient.js';
import { FIND_CURRENT, listRecipients, LAST_ID, LOCK_LAST_ID, RENEW } from './recipient.sql.js';

@Injectable()
export class SqlCampaignRecipients extends CampaignRecipients {
  constructor(private readonly database: Database) {
    super();
  }

  list(
    accountId: string,
    campaignId: string,
    { outcome, afterMessageId, limit }: { outcome: RecipientOutcome | null; afterMessageId: string; limit: number },
  ): Promise<ListedRecipient[]> {
    return this.database.read<ListedRecipient>(listRecipients(outcome), [accountId, campaignId, afterMessageId, limit]);
  }

  async lastMessageId(accountId: string, campaignId: string): Promise<string> {
    const [row] = await this.database.query<{ lastId: string }>(LAST_ID, [accountId, campaignId]);
    return row?.lastId ?? '';
  }

  async findCurrent(accountId: string, campaignId: string, messageIds: readonly string[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(FIND_CURRENT, [accountId, campaignId, messageIds]);
    return rows.map(({ id }) => id);
  }

  async renew(accountId: string, campaignId: string, messageIds: readonly string[], now: Date): Promise<void> {
    const [row] = await this.database.query<{ lastId: string }>(LOCK_LAST_ID, [accountId, campaignId]);
    const newIds = messageIdsAfter(row?.lastId ?? '', now, messageIds.length);
    await this.database.query(RENEW, [accountId, campaignId, messageIds, newIds, newIds.at(-1)]);
  }
}
