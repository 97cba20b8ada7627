import { Injectable } from '@nestjs/common';

import { Database } from '../../../../platform/database/database.js';
import { DomainError } from '../../../../shared/domain-error.js';
import { idTime } from '../../../../shared/ids.js';
import { Clock } from '../../../../shared/ports/clock.js';
import { monthOf } from '../../../../shared/utc.js';
import { CampaignIntake, type PendingMessages } from '../../application/ports/campaign-intake.js';
import { MessagePartitions } from '../../application/ports/message-maintenance.js';
import type { CampaignEnvelope, CampaignIntakeOutcome, NewCampaignMessage } from '../../domain/campaign-content.js';
import { capDay } from '../../domain/daily-caps.js';
import { ACCEPT_CAMPAIGN, COUNT_PENDING, FIND_FAILED } from './accept-campaign.sql.js';
import { START_COUNTERS } from './accept.sql.js';

/** A slow domain may have hundreds of thousands of them. */
const MAX_POSTPONED_COUNTED = 20_000;
/** The sweep enqueues a message that still has no job after this time. */
const JOB_EXPECTED_WITHIN_MS = 60_000;

/** Not batched: the caller offers many messages at a time, and one after the other. */
@Injectable()
export class SqlCampaignIntake extends CampaignIntake {
  constructor(
    private readonly database: Database,
    private readonly partitions: MessagePartitions,
    private readonly clock: Clock,
  ) {
    super();
  }

  async ensurePartitions(messages: readonly NewCampaignMessage[]): Promise<void> {
    const current = monthOf(this.clock.now()).getTime();
    const months = new Set(messages.map(({ id }) => monthOf(idTime(id)).getTime()));
    for (const month of months) if (month !== current) await this.partitions.ensure(new Date(month), 1);
  }

  async accept(campaign: CampaignEnvelope, messages: readonly NewCampaignMessage[]): Promise<CampaignIntakeOutcome[]> {
    if (messages.length === 0) return [];
    const outcomes = await this.store(campaign, messages);
    return outcomes.includes('duplicate') ? this.retryOverCap(campaign, messages, outcomes) : outcomes;
  }

  async countPending(accountId: string, campaignId: string): Promise<PendingMessages> {
    const values = [accountId, campaignId, this.clock.now(), MAX_POSTPONED_COUNTED];
    const [row] = await this.database.query<PendingMessages>(COUNT_PENDING, values);
    return row ?? { due: 0, postponed: 0 };
  }

  async findFailed(
    accountId: string,
    campaignId: string,
    range: { afterId: string; upToId: string },
    limit: number,
  ): Promise<string[]> {
    const values = [accountId, campaignId, range.afterId, limit, range.upToId];
    return (await this.database.readFromPrimary<{ id: string }>(FIND_FAILED, values)).map(({ id }) => id);
  }

  private async store(
    campaign: CampaignEnvelope,
    messages: readonly NewCampaignMessage[],
    isRepeated = false,
  ): Promise<CampaignIntakeOutcome[]> {
    const { id, accountId, sender, senderName, replyTo } = campaign;
    const now = this.clock.now();
    const rows = await this.database.prepared<{ outcome: CampaignIntakeOutcome | null }>(
      'accept_campaign_messages',
      ACCEPT_CAMPAIGN,
      [
        JSON.stringify(messages.map((message, position) => ({ ...message, position }))),
        capDay(now),
        accountId,
        id,
        sender,
        senderName,
        replyTo,
        messages.map((message) => message.id),
        now,
        new Date(now.getTime() + JOB_EXPECTED_WITHIN_MS),
      ],
    );
    const outcomes = rows.flatMap(({ outcome }) => outcome ?? []);
    if (outcomes.length === messages.length) return outcomes;
    if (isRepeated) throw new DomainError('unavailable', 'no_counter', 'The service is temporarily unavailable', 1);
    await this.database.query(START_COUNTERS, [[accountId], capDay(now)]);
    return this.store(campaign, messages, true);
  }

  /** Duplicates of a concurrent call were ranked before the messages over the cap. */
  private async retryOverCap(
    campaign: CampaignEnvelope,
    messages: readonly NewCampaignMessage[],
    outcomes: CampaignIntakeOutcome[],
  ): Promise<CampaignIntakeOutcome[]> {
    const refused = messages.filter((_, i) => outcomes[i] === 'over_cap');
    if (refused.length === 0) return outcomes;
    const retried = await this.store(campaign, refused);
    return outcomes.map((outcome) => (outcome === 'over_cap' ? (retried.shift() ?? outcome) : outcome));
  }
}
