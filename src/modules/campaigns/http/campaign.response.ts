import { ApiProperty } from '@nestjs/swagger';

import type { Page } from '../../../shared/page.js';
import { MESSAGE_STATUSES, type MessageStatus } from '../../messages/index.js';
import type { CampaignStats, CampaignWithStats } from '../application/read-campaigns.service.js';
import {
  type Audience,
  type Campaign,
  CAMPAIGN_STATUSES,
  type CampaignStatus,
  PAUSE_REASONS,
  type PauseReason,
  WAIT_REASONS,
  type WaitReason,
} from '../domain/campaign.js';
import { MissingValueResponse } from './missing-values.response.js';

class CampaignAudienceResponse {
  listIds!: string[];

  /** @example ["customer"] */
  tags!: string[];
  excludeListIds!: string[];
  /** @example ["employee"] */
  excludeTags!: string[];

  static from({ listIds, tags, excludeListIds, excludeTags }: Audience): CampaignAudienceResponse {
    return { listIds, tags, excludeListIds, excludeTags };
  }
}

class SkippedRecipientsResponse {
  /** The contact was not active. */
  @ApiProperty({ type: 'integer' })
  suppressed!: number;

  /** The contact lacked a consent that the account requires. */
  @ApiProperty({ type: 'integer' })
  no_consent!: number;

  /** The contact was out of the topic of the campaign. */
  @ApiProperty({ type: 'integer' })
  out_of_topic!: number;

  /** The contact was deleted or erased after the campaign had started. */
  @ApiProperty({ type: 'integer' })
  deleted!: number;

  /** No message could be stored for the recipient. */
  @ApiProperty({ type: 'integer' })
  failed!: number;
}

class CampaignProgressResponse {
  /** Recipients written so far: the audience is written in the first seconds after the start. */
  @ApiProperty({ type: 'integer' })
  recipients!: number;

  @ApiProperty({ type: 'integer' })
  waiting!: number;

  /** Recipients whose message was accepted. The outcome of the messages is in `stats`. */
  @ApiProperty({ type: 'integer' })
  accepted!: number;

  skipped!: SkippedRecipientsResponse;

  static from(campaign: Campaign): CampaignProgressResponse {
    const { recipients, accepted, skipped } = campaign;
    const {
      skippedSuppressed: suppressed,
      skippedNoConsent,
      skippedOutOfTopic,
      skippedDeleted: deleted,
      skippedFailed: failed,
    } = campaign;
    return {
      recipients,
      waiting: recipients - accepted - skipped,
      accepted,
      skipped: { suppressed, no_consent: skippedNoConsent, out_of_topic: skippedOutOfTopic, deleted, failed },
    };
  }
}

class CampaignEngagementResponse {
  /** Messages with at least one open or click. */
  @ApiProperty({ type: 'integer' })
  unique!: number;

  /** All opens or clicks, including repeated ones. */
  @ApiProperty({ type: 'integer' })
  total!: number;

  /** False: nobody counts them, so their number is not known. */
  reported!: boolean;
}

class CampaignDeliveriesResponse {
  /** Messages that the provider reported as delivered, complaints included. */
  @ApiProperty({ type: 'integer' })
  total!: number;

  /** False: the provider reports no deliveries, so their number is not known. */
  reported!: boolean;
}

class CampaignStatsResponse {
  /** Messages of the campaign. A retried recipient has several. */
  @ApiProperty({ type: 'integer' })
  total!: number;

  /** The number of messages by their current status. */
  @ApiProperty({
    type: 'object',
    properties: Object.fromEntries(MESSAGE_STATUSES.map((status) => [status, { type: 'integer' }])),
    required: [...MESSAGE_STATUSES],
    selfRequired: true,
    additionalProperties: false,
  })
  status!: Record<MessageStatus, number>;

  deliveries!: CampaignDeliveriesResponse;

  /** Opens by people; those by scanners and prefetchers are excluded. */
  opens!: CampaignEngagementResponse;

  /** Clicks by people, like `opens`. */
  clicks!: CampaignEngagementResponse;

  /** Recipients who unsubscribed, from everything or from a topic, through a link of the campaign. */
  @ApiProperty({ type: 'integer' })
  unsubscribed!: number;

  static from({ total, status, deliveries, opens, clicks, unsubscribed }: CampaignStats): CampaignStatsResponse {
    return { total, status, deliveries, opens, clicks, unsubscribed };
  }
}

export class CampaignResponse {
  id!: string;

  /** @example "November newsletter" */
  name!: string;
  /** @example "hello@example.com" */
  fromEmail!: string;
  fromName!: string | null;
  replyTo!: string | null;

  /** @example "News for {{firstName}}" */
  subject!: string | null;
  html!: string | null;
  text!: string | null;
  templateId!: string | null;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  variables!: Record<string, unknown> | null;

  topicId!: string | null;
  audience!: CampaignAudienceResponse;
  scheduledAt!: Date | null;

  @ApiProperty({ type: 'integer', nullable: true })
  maxPerMinute!: number | null;

  /** `completed` when every message is final. */
  @ApiProperty({ enum: CAMPAIGN_STATUSES })
  status!: CampaignStatus;

  /**
   * Why the campaign is paused; null if it is not. `missed`: its start was missed by more than an hour. `list_deleted`:
   * a list of its audience was deleted before it began; resuming goes on without that list, unless it was an excluded
   * one (409). `restored`: the database was restored from a backup while it was running or due, so recipients who are
   * still waiting may have got it.
   */
  @ApiProperty({ enum: [...PAUSE_REASONS, null], type: String, nullable: true })
  pauseReason!: PauseReason | null;

  /**
   * What a running campaign waits for: `daily_cap` until the next UTC day, `provider` while the provider refuses all
   * mail of the account.
   */
  @ApiProperty({ enum: [...WAIT_REASONS, null], type: String, nullable: true })
  waitingFor!: WaitReason | null;

  progress!: CampaignProgressResponse;
  stats!: CampaignStatsResponse;
  createdAt!: Date;
  startedAt!: Date | null;

  /** When the campaign was completed or canceled. */
  endedAt!: Date | null;

  static from({ campaign, stats, waitingFor }: CampaignWithStats): CampaignResponse {
    const { id, name, fromEmail, fromName, replyTo, subject, html, text, templateId, variables, topicId } = campaign;
    const { scheduledAt, maxPerMinute, status, pauseReason, createdAt, startedAt, endedAt } = campaign;
    return {
      ...{ id, name, fromEmail, fromName, replyTo, subject, html, text, templateId, variables, topicId },
      audience: CampaignAudienceResponse.from(campaign.audience),
      ...{ scheduledAt, maxPerMinute, status, pauseReason, waitingFor },
      progress: CampaignProgressResponse.from(campaign),
      stats: CampaignStatsResponse.from(stats),
      ...{ createdAt, startedAt, endedAt },
    };
  }
}

export class StartedCampaignResponse extends CampaignResponse {
  /** Placeholders that neither `variables` nor the contacts of the audience fill. They render empty. */
  missingValues!: MissingValueResponse[];
}

export class CampaignPageResponse {
  items!: CampaignResponse[];
  total!: number;
  page!: number;
  pageSize!: number;
  totalPages!: number;

  static from({ items, ...page }: Page<CampaignWithStats>): CampaignPageResponse {
    return { items: items.map((item) => CampaignResponse.from(item)), ...page };
  }
}
