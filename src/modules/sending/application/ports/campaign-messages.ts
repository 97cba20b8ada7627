import type {
  CampaignContent,
  CampaignIntakeOutcome,
  MessageTotals,
  NewCampaignMessage,
  PendingMessages,
} from '../../../messages/index.js';

export type { CampaignContent, CampaignIntakeOutcome, NewCampaignMessage, PendingMessages };

export interface CampaignSend {
  id: string;
  accountId: string;
  name: string;
  fromEmail: string;
  fromName: string | null;
  replyTo: string | null;
}

export interface CampaignRecipient {
  /** Assigned once, when the audience was written, like `createdAt`; offered again after a crash. */
  messageId: string;
  /** Not the time of acceptance: the message keeps it, and it never differs between two offers. */
  createdAt: Date;
  contactId: string;
  email: string;
  /** `email`, `firstName`, `lastName` and `company`. They take precedence over the variables, except empty ones. */
  placeholders: Readonly<Record<string, string>>;
}

export type CampaignTotals = MessageTotals & {
  /** Recipients who unsubscribed through the link of one of these messages. */
  unsubscribed: number;
};

/** The messages of campaigns. They have their own lane: queue, connections and share of the caps and of the rate. */
export abstract class CampaignMessages {
  /**
   * Stores the content that all messages of the campaign share. Takes part in the running transaction. A campaign that
   * has one keeps it.
   */
  abstract freeze(campaign: Pick<CampaignSend, 'id' | 'accountId' | 'name'>, content: CampaignContent): Promise<void>;

  /**
   * Makes one message of each of at most 500 recipients, in order, and stores nothing. It may take long: call it
   * outside transactions. Throws `conflict` if the campaign's content is not frozen.
   */
  abstract prepare(campaign: CampaignSend, recipients: readonly CampaignRecipient[]): Promise<NewCampaignMessage[]>;

  /**
   * Counts the messages under the campaigns' share of the account's cap and stores them, in one statement. Takes part
   * in the running transaction, and wakes a worker once it has committed. Returns one outcome per message, in order.
   * `suppressed` and `over_cap` store and count nothing: what is over the cap can be offered again.
   */
  abstract accept(campaign: CampaignSend, messages: readonly NewCampaignMessage[]): Promise<CampaignIntakeOutcome[]>;

  /** Messages that were accepted and have no final status yet. */
  abstract countPending(accountId: string, campaignId: string): Promise<PendingMessages>;

  abstract totals(accountId: string, campaignId: string): Promise<CampaignTotals>;

  /** The same for several campaigns at once: by campaign id, for each of them. */
  abstract totalsOf(accountId: string, campaignIds: readonly string[]): Promise<Map<string, CampaignTotals>>;

  /** Ids of the messages with status `failed` in the range, in ascending order. */
  abstract findFailed(
    accountId: string,
    campaignId: string,
    range: { afterId: string; upToId: string },
    limit: number,
  ): Promise<string[]>;
}
