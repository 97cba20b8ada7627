import type { CampaignEnvelope, CampaignIntakeOutcome, NewCampaignMessage } from '../../domain/campaign-content.js';

/** Messages without a final status. */
export interface PendingMessages {
  /** Messages that can be submitted now, and those that are being submitted. */
  due: number;
  /** Messages that wait for their next attempt; at most 20,000 are counted. */
  postponed: number;
}

/** The stored messages of campaigns. */
export abstract class CampaignIntake {
  /**
   * Creates missing partitions for the messages: if a campaign waits for long, the month of their ids may be over and
   * its contents dropped. Call it outside transactions, before `accept`.
   */
  abstract ensurePartitions(messages: readonly NewCampaignMessage[]): Promise<void>;

  /**
   * Counts the messages under the account's cap and stores them, with placeholders and pending deliveries, in one
   * statement. A message is accepted only while less than the campaigns' share of the cap is used, by messages of any
   * kind: the rest is left for other messages. Of several concurrent calls with the same ids, one stores each message.
   * Returns one outcome per message, in order; only `accepted` counts and stores anything. Throws `unavailable` if the
   * account is gone, or if old partitions are just being dropped and a message is of a month that is over.
   */
  abstract accept(
    campaign: CampaignEnvelope,
    messages: readonly NewCampaignMessage[],
  ): Promise<CampaignIntakeOutcome[]>;

  abstract countPending(accountId: string, campaignId: string): Promise<PendingMessages>;

  /** Ids of the failed messages in the range, in ascending order. */
  abstract findFailed(
    accountId: string,
    campaignId: string,
    range: { afterId: string; upToId: string },
    limit: number,
  ): Promise<string[]>;
}
