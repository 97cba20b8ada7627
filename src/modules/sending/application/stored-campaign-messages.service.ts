import { Injectable } from '@nestjs/common';

import { CampaignContents, CampaignIntake, DeliveryJobs, ReadMessages } from '../../messages/index.js';
import { SuppressionList } from '../../suppression/index.js';
import {
  type CampaignContent,
  type CampaignIntakeOutcome,
  CampaignMessages,
  type CampaignRecipient,
  type CampaignSend,
  type CampaignTotals,
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
    await this.messages.requireRenderable(content);
    await this.contents.freeze(accountId, { id, name }, content);
  }

  async accept(campaign: CampaignSend, recipients: readonly CampaignRecipient[]): Promise<CampaignIntakeOutcome[]> {
    if (recipients.length === 0) return [];
    const { id, accountId, fromEmail, fromName, replyTo } = campaign;
    const envelope = {
      id,
      accountId,
      sender: fromEmail.trim(),
      senderName: fromName,
      replyTo: replyTo?.trim() ?? null,
    };
    const messages = await this.messages.prepare(campaign, recipients);
    const outcomes = await this.intake.accept(envelope, messages);
    messages.forEach(({ id: messageId }, i) => {
      if (outcomes[i] === 'accepted') this.jobs.enqueue({ messageId, accountId, lane: 'bulk' });
    });
    return outcomes;
  }

  findStored(accountId: string, messageIds: readonly string[]): Promise<Set<string>> {
    return this.intake.findStored(accountId, messageIds);
  }

  countPending(accountId: string, campaignId: string): Promise<PendingMessages> {
    return this.intake.countPending(accountId, campaignId);
  }

  async totals(accountId: string, campaignId: string): Promise<CampaignTotals> {
    // Sequential, because a read may use one connection at a time.
    const totals = await this.reading.totals(accountId, { ...EVERY_MESSAGE, campaignId });
    return { ...totals, unsubscribed: await this.suppressions.countUnsubscribed(accountId, campaignId) };
  }

  findFailed(accountId: string, campaignId: string, afterId: string | null, limit: number): Promise<string[]> {
    return this.intake.findFailed(accountId, campaignId, afterId, limit);
  }
}

const EVERY_MESSAGE = {
  ...{ apiKeyId: null, channel: null, statuses: null, search: null, subject: null },
  ...{ from: null, before: null },
} as const;
