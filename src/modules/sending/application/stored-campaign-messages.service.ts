import { Injectable } from '@nestjs/common';

import { CampaignContents, CampaignIntake, DeliveryJobs, ReadMessages, toTotals } from '../../messages/index.js';
import { SuppressionList } from '../../suppression/index.js';
import {
  type CampaignContent,
  type CampaignIntakeOutcome,
  CampaignMessages,
  type CampaignRecipient,
  type CampaignSend,
  type CampaignTotals,
  type NewCampaignMessage,
  type PendingMessages,
} from './ports/campaign-messages.js';
import { PrepareCampaignMessages } from './prepare-campaign-messages.service.js';

@Injectable()
export class StoredCampaignMessages extends CampaignMessages {
  constructor(
    private readonly contents: CampaignContents,
    private readonly messages: PrepareCampaignMessages,
    private readonly intake: CampaignIntake,
    private readonly jobs: DeliveryJobs,
    private readonly reading: ReadMessages,
    private readonly suppressions: SuppressionList,
  ) {
    super();
  }

  async freeze(
    { id, accountId, name }: Pick<CampaignSend, 'id' | 'accountId' | 'name'>,
    content: CampaignContent,
  ): Promise<void> {
    await this.contents.freeze(accountId, { id, name }, content);
  }

  async prepare(campaign: CampaignSend, recipients: readonly CampaignRecipient[]): Promise<NewCampaignMessage[]> {
    const messages = await this.messages.prepare(campaign, recipients);
    await this.intake.ensurePartitions(messages);
    return messages;
  }

  async accept(campaign: CampaignSend, messages: readonly NewCampaignMessage[]): Promise<CampaignIntakeOutcome[]> {
    const { id, accountId, fromEmail, fromName, replyTo } = campaign;
    const envelope = {
      id,
      accountId,
      sender: fromEmail.trim(),
      senderName: fromName,
      replyTo: replyTo?.trim() ?? null,
    };
    const outcomes = await this.intake.accept(envelope, messages);
    messages.forEach(({ id: messageId }, i) => {
      if (outcomes[i] === 'accepted') this.jobs.enqueue({ messageId, accountId, lane: 'bulk' });
    });
    return outcomes;
  }

  countPending(accountId: string, campaignId: string): Promise<PendingMessages> {
    return this.intake.countPending(accountId, campaignId);
  }

  async totals(accountId: string, campaignId: string): Promise<CampaignTotals> {
    const totals = await this.totalsOf(accountId, [campaignId]);
    return totals.get(campaignId) ?? { ...toTotals([]), unsubscribed: 0 };
  }

  /** Sequential: a request uses one connection at a time. */
  async totalsOf(accountId: string, campaignIds: readonly string[]): Promise<Map<string, CampaignTotals>> {
    const totals = await this.reading.totalsByCampaign(accountId, campaignIds);
    const unsubscribed = await this.suppressions.countUnsubscribed(accountId, campaignIds);
    return new Map([...totals].map(([id, of]) => [id, { ...of, unsubscribed: unsubscribed.get(id) ?? 0 }]));
  }

  findFailed(
    accountId: string,
    campaignId: string,
    range: { afterId: string; upToId: string },
    limit: number,
  ): Promise<string[]> {
    return this.intake.findFailed(accountId, campaignId, range, limit);
  }
}
