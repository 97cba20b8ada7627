import { Injectable } from '@nestjs/common';

import { JOB_EXPECTED_WITHIN_MS } from '../../../../config/limits.js';
import { Database } from '../../../../platform/database/database.js';
import { DomainError } from '../../../../shared/domain-error.js';
import { idTime } from '../../../../shared/ids.js';
import { Clock } from '../../../../shared/ports/clock.js';
import { monthOf } from '../../../../shared/utc.js';
import { CampaignIntake, type PendingMessages } from '../../application/ports/campaign-intake.js';
import { MessagePartitions } from '../../application/ports/message-maintenance.js';
import type { CampaignEnvelope, CampaignIntakeOutcome, NewCampaignMessage } from '../../domain/campaign-content.js';
import { capDay } from '../../domain/daily-caps.js';
import { KEEP_PARTITIONS } from '../retention/sql-message-partitions.js';
import { ACCEPT_CAMPAIGN } from './accept.sql.js';
import { type AcceptRow, tryUnits } from './accept-units.js';

/** Caps the count of postponed messages: a slow domain may have hundreds of thousands. */
const MAX_POSTPONED_COUNTED = 20_000;

/** Not batched: the caller offers many messages per call, and makes one call after the other. */
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
    for (const month of this.otherMonthsOf(messages)) await this.partitions.ensure(new Date(month), 1);
  }

  async accept(campaign: CampaignEnvelope, messages: readonly NewCampaignMessage[]): Promise<CampaignIntakeOutcome[]> {
    if (messages.length === 0) return [];
    if (this.otherMonthsOf(messages).length > 0) await this.keepPartitions();
    const now = this.clock.now();
    const { accountId } = campaign;
    const units = messages.map((message) => ({ accountId, apiKeyId: null, size: 1, message }));
    const results = await tryUnits(this.database, units, { day: capDay(now), lockWaitMs: null }, (chosen) =>
      this.store(
        campaign,
        chosen.map(({ message }) => message),
        now,
      ),
    );
    return results.map((result) => {
      if (result instanceof Error) throw result;
      const { outcome } = result;
      if (outcome === 'out_of_topic' || outcome === 'unknown_topic')
        throw new Error('The topic was not checked before');
      return outcome;
    });
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

  private store(
    { id, accountId, sender, senderName, replyTo, topicId }: CampaignEnvelope,
    messages: readonly NewCampaignMessage[],
    now: Date,
  ): Promise<AcceptRow[]> {
    const ids = messages.map((message) => message.id);
    const sweepAt = new Date(now.getTime() + JOB_EXPECTED_WITHIN_MS);
    return this.database.prepared('accept_campaign_messages', ACCEPT_CAMPAIGN, [
      ...[JSON.stringify(messages), [accountId], capDay(now), null],
      ...[accountId, id, sender, senderName, replyTo, ids, now, sweepAt, topicId],
    ]);
  }

  private async keepPartitions(): Promise<void> {
    const [row] = await this.database.query<{ isKept: boolean }>(KEEP_PARTITIONS);
    if (!row?.isKept) throw new DomainError('unavailable', 'overloaded', 'The service is temporarily unavailable', 1);
  }

  private otherMonthsOf(messages: readonly NewCampaignMessage[]): number[] {
    const current = monthOf(this.clock.now()).getTime();
    const months = new Set(messages.map(({ id }) => monthOf(idTime(id)).getTime()));
    return [...months].filter((month) => month !== current);
  }
}

/** $1 account, $2 campaign, $3 now, $4 how many of the postponed ones to count at most. */
const COUNT_PENDING = `
  SELECT count(*)::integer AS due, (
      SELECT count(*)::integer FROM (
        SELECT FROM pending_deliveries WHERE account_id = $1 AND campaign_id = $2 AND next_attempt_at > $3 LIMIT $4
      ) counted
    ) AS postponed
  FROM pending_deliveries WHERE account_id = $1 AND campaign_id = $2 AND next_attempt_at <= $3`;

/** $1 account, $2 campaign, $3 the id after which to begin, $4 the limit, $5 the last id. */
const FIND_FAILED = `
  SELECT m.id FROM message_logs m
  WHERE m.account_id = $1 AND m.campaign_id = $2 AND m.status = 'failed' AND m.id > $3 AND m.id <= $5
  ORDER BY m.id LIMIT $4`;
