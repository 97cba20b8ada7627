import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { isId } from '../../../shared/ids.js';
import type { ListedRecipient, RecipientOutcome } from '../domain/campaign-recipient.js';
import { CampaignRecipients } from './ports/campaign-recipients.js';
import { ReadCampaigns } from './read-campaigns.service.js';

export interface RecipientPage {
  items: ListedRecipient[];
  /** Null on the last page. */
  nextCursor: string | null;
}

@Injectable()
export class ReadRecipients {
  constructor(
    private readonly campaigns: ReadCampaigns,
    private readonly recipients: CampaignRecipients,
  ) {}

  /** `cursor` is the `nextCursor` of the previous page. */
  async page(
    accountId: string,
    campaignId: string,
    { outcome, cursor, limit }: { outcome?: RecipientOutcome | undefined; cursor?: string | undefined; limit: number },
  ): Promise<RecipientPage> {
    if (cursor !== undefined && !isId(cursor))
      throw DomainError.invalid('cursor must be the nextCursor of an earlier page');
    await this.campaigns.find(accountId, campaignId);
    const more = await this.recipients.list(accountId, campaignId, {
      outcome: outcome ?? null,
      afterMessageId: cursor ?? '',
      limit: limit + 1,
    });
    const items = more.slice(0, limit);
    return { items, nextCursor: more.length > limit ? (items.at(-1)?.messageId ?? null) : null };
  }
}
