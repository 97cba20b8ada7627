import type { CampaignContent, CampaignReference } from '../../domain/campaign-content.js';
import type { MessageContent, StoredContent } from '../../domain/message-log.js';

/** The frozen contents of campaigns. */
export abstract class CampaignContents {
  /** Joins the running transaction, if there is one. A campaign that has a content keeps it. */
  abstract freeze(accountId: string, campaign: CampaignReference, content: CampaignContent): Promise<void>;

  /** Never changes once it exists. */
  abstract find(accountId: string, campaignId: string): Promise<CampaignContent | null>;

  /** The references by campaign id; campaigns without a frozen content are missing. */
  abstract findReferences(accountId: string, campaignIds: readonly string[]): Promise<Map<string, CampaignReference>>;
}

/** Implemented by the sending module. */
export abstract class CampaignRenderer {
  /** The content of a message of the campaign, as it is delivered. Null if the campaign's content is not kept. */
  abstract render(accountId: string, campaignId: string, stored: StoredContent): Promise<MessageContent | null>;
}
