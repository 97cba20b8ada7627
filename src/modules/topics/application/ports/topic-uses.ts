/** The uses of topics. Implemented by the campaigns module. */
export abstract class TopicUses {
  /**
   * The name of a campaign that is scheduled, running or paused with the topic; null if there is none. Reads within the
   * current transaction.
   */
  abstract findCampaign(accountId: string, topicId: string): Promise<string | null>;
}
