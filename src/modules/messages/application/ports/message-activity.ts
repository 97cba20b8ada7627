import type { Channel } from '../../../../shared/channel.js';
import type { ActivitySpan, CampaignEventBucket } from '../../domain/activity.js';
import type { StatusCount } from '../../domain/message-totals.js';

export interface StatusCountAt extends StatusCount {
  channel: Channel;
  /** One of the span's starts. */
  from: Date;
}

/** Message counts of an account over time. */
export abstract class MessageActivity {
  /** Counts by status and channel for each hour or day of the span in which messages were accepted, in no order. */
  abstract count(accountId: string, span: ActivitySpan): Promise<StatusCountAt[]>;

  /**
   * Counts the events of a campaign for each hour or day of the span in which there are any, in no order. Opens and
   * clicks by machines are excluded.
   */
  abstract countCampaignEvents(
    accountId: string,
    campaignId: string,
    span: ActivitySpan,
  ): Promise<CampaignEventBucket[]>;

  /**
   * Returns, by account, a text that changes when a message that was accepted on this UTC day or later is accepted,
   * delivered or gets a result. Accounts without messages are missing.
   */
  abstract versionsAcrossAccounts(accountIds: readonly string[], since: Date): Promise<ReadonlyMap<string, string>>;

  /** Messages accepted on the UTC day for each key that has any, the highest count first. */
  abstract countByKey(accountId: string, day: Date): Promise<{ apiKeyId: string; used: number }[]>;
}
