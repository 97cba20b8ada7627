import type { ListedRecipient, RecipientOutcome } from '../../domain/campaign-recipient.js';

/** The recipients of the campaigns of one account. */
export abstract class CampaignRecipients {
  /** Lists recipients in the order of their message ids, from the one after `afterMessageId`. */
  abstract list(
    accountId: string,
    campaignId: string,
    { outcome, afterMessageId, limit }: { outcome: RecipientOutcome | null; afterMessageId: string; limit: number },
  ): Promise<ListedRecipient[]>;

  /** The greatest id that was assigned to a message of the campaign; empty if there is none. */
  abstract lastMessageId(accountId: string, campaignId: string): Promise<string>;

  /** Returns those of the message ids that belong to recipients: the others were replaced. */
  abstract findCurrent(accountId: string, campaignId: string, messageIds: readonly string[]): Promise<string[]>;

  /** Gives each recipient whose accepted message is one of these a new message id, so that it waits again. */
  abstract renew(accountId: string, campaignId: string, messageIds: readonly string[], now: Date): Promise<void>;
}
