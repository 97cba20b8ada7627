import type { MessageContent, StoredContent } from '../../domain/message-log.js';

/** Implemented by the sending module. */
export abstract class CampaignRenderer {
  /** The content of a message of the campaign, as it is delivered. Null if the campaign's content is not kept. */
  abstract render(accountId: string, campaignId: string, stored: StoredContent): Promise<MessageContent | null>;
}
