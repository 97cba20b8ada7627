import { Injectable } from '@nestjs/common';

import { type CursorPage, type CursorRequest, readIdCursor, toCursorPage } from '../../../shared/cursor-page.js';
import type { ListedRecipient, RecipientOutcome } from '../domain/campaign-recipient.js';
import { CampaignRecipients } from './ports/campaign-recipients.js';
import { ReadCampaigns } from './read-campaigns.service.js';

@Injectable()
export class ReadRecipients {
  constructor(
    private readonly campaigns: ReadCampaigns,
    private readonly recipients: CampaignRecipients,
  ) {}

  async page(
    accountId: string,
    campaignId: string,
    { outcome, cursor, limit }: CursorRequest & { outcome?: RecipientOutcome | undefined },
  ): Promise<CursorPage<ListedRecipient>> {
    const afterMessageId = readIdCursor(cursor) ?? '';
    await this.campaigns.get(accountId, campaignId);
    const rows = await this.recipients.list(accountId, campaignId, {
      outcome: outcome ?? null,
      afterMessageId,
      limit: limit + 1,
    });
    return toCursorPage(rows, limit, ({ messageId }) => messageId);
  }
}
