import { Injectable } from '@nestjs/common';

import {
  CampaignIntake,
  type CampaignIntakeOutcome,
  DeliveryJobs,
  type NewCampaignMessage,
  type PendingMessages,
  ReadMessages,
  toTotals,
} from '../../messages/index.js';
import { DeliveryPauses } from '../../provider-settings/index.js';
import { SuppressionList } from '../../suppression/index.js';
import type { CampaignRecipient, CampaignSend, CampaignTotals } from './campaign-send.js';
import { PrepareCampaignMessages } from './prepare-campaign-messages.service.js';

/** The messages of campaigns. They have their own lane: queue, connections and share of the caps and of the rate. */
@Injectable()
export class CampaignMessages {
  constructor(
    private readonly messages: PrepareCampaignMessages,
    private readonly intake: CampaignIntake,
    private readonly jobs: DeliveryJobs,
    private readonly reading: ReadMessages,
    private readonly suppressions: SuppressionList,
    private readonly pauses: DeliveryPauses,
  ) {}

  /**
   * Makes one message of each of at most 500 recipients, in order, and stores nothing. It may take long: call it
   * outside transactions. Throws `conflict` if the campaign's content is not frozen.
   */
  async prepare(campaign: CampaignSend, recipients: readonly CampaignRecipient[]): Promise<NewCampaignMessage[]> {
    const messages = await this.messages.prepare(campaign, recipients);
    await this.intake.ensurePartitions(messages);
    return messages;
  }

  /**
   * Counts the messages under the campaigns' share of the account's cap and stores them, in one statement. Takes part
   * in the running transaction, and wakes a worker once it has committed. Returns one outcome per message, in order.
   * `suppressed` and `over_cap` store and count nothing: what is over the cap can be offered again.
   */
  async accept(campaign: CampaignSend, messages: readonly NewCampaignMessage[]): Promise<CampaignIntakeOutcome[]> {
    const { id, accountId, fromEmail, fromName, replyTo, topicId } = campaign;
    const envelope = {
      id,
      accountId,
      sender: fromEmail.trim(),
      senderName: fromName,
      replyTo: replyTo?.trim() ?? null,
      topicId,
    };
    const outcomes = await this.intake.accept(envelope, messages);
    messages.forEach(({ id: messageId }, i) => {
      if (outcomes[i] === 'accepted') this.jobs.enqueue({ messageId, accountId, lane: 'bulk' });
    });
    return outcomes;
  }

  /** Whether the provider refuses all mail of the account at present. */
  async arePaused(accountId: string): Promise<boolean> {
    return (await this.pauses.find(accountId, 'email')) !== null;
  }

  /** Messages that were accepted and have no final status yet. */
  countPending(accountId: string, campaignId: string): Promise<PendingMessages> {
    return this.intake.countPending(accountId, campaignId);
  }

  async totals(accountId: string, campaignId: string): Promise<CampaignTotals> {
    const totals = await this.totalsOf(accountId, [campaignId]);
    return totals.get(campaignId) ?? { ...toTotals([]), unsubscribed: 0 };
  }

  /**
   * Like `totals` for several campaigns at once, by campaign id. Sequential: a request uses one connection at a time.
   */
  async totalsOf(accountId: string, campaignIds: readonly string[]): Promise<Map<string, CampaignTotals>> {
    const totals = await this.reading.totalsByCampaign(accountId, campaignIds);
    const unsubscribed = await this.suppressions.countUnsubscribed(accountId, campaignIds);
    return new Map([...totals].map(([id, of]) => [id, { ...of, unsubscribed: unsubscribed.get(id) ?? 0 }]));
  }
}
