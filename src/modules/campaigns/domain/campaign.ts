import { CAMPAIGN_MISSED_AFTER_MS } from '../../../config/limits.js';
import { DomainError } from '../../../shared/domain-error.js';
import { requireValidSchedule } from '../../../shared/schedule.js';

export const CAMPAIGN_STATUSES = ['draft', 'scheduled', 'running', 'paused', 'completed', 'canceled'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

export const PAUSE_REASONS = ['user', 'guard', 'sender_unverified', 'missed', 'list_deleted', 'restored'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

export const WAIT_REASONS = ['daily_cap', 'warm_up', 'provider'] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

/** Limits each of the lists, tags, excluded lists and excluded tags of an audience. */
export const MAX_SELECTORS = 20;

/** Contacts on one of the lists or with one of the tags, except those on an excluded list or with an excluded tag. */
export interface Audience {
  listIds: string[];
  tags: string[];
  excludeListIds: string[];
  excludeTags: string[];
}

/** The fields of a campaign that a user sets. */
export interface CampaignPlan {
  name: string;
  fromEmail: string;
  fromName: string | null;
  replyTo: string | null;
  subject: string | null;
  html: string | null;
  text: string | null;
  templateId: string | null;
  variables: Record<string, unknown> | null;
  topicId: string | null;
  audience: Audience;
  scheduledAt: Date | null;
  maxPerMinute: number | null;
}

/** Subject and bodies with placeholders, of the template or the campaign's own. */
export interface CampaignParts {
  subject: string;
  html: string | null;
  text: string | null;
}

export interface CampaignProgress {
  /** Rows of the audience written so far. */
  recipients: number;
  accepted: number;
  skippedSuppressed: number;
  skippedNoConsent: number;
  skippedOutOfTopic: number;
  skippedDeleted: number;
  skippedFailed: number;
}

/** A mailing to an audience. */
export class Campaign implements CampaignPlan, CampaignProgress {
  id!: string;
  accountId!: string;
  name!: string;
  fromEmail!: string;
  fromName!: string | null;
  replyTo!: string | null;
  subject!: string | null;
  html!: string | null;
  text!: string | null;
  templateId!: string | null;
  variables!: Record<string, unknown> | null;
  topicId!: string | null;
  audience!: Audience;
  scheduledAt!: Date | null;
  maxPerMinute!: number | null;
  status!: CampaignStatus;
  pauseReason!: PauseReason | null;
  waitingFor!: WaitReason | null;
  recipients!: number;
  accepted!: number;
  skippedSuppressed!: number;
  skippedNoConsent!: number;
  skippedOutOfTopic!: number;
  skippedDeleted!: number;
  skippedFailed!: number;
  createdAt!: Date;
  startedAt!: Date | null;
  endedAt!: Date | null;
  /** Counts the changes: a change is stored only if nobody else has changed the campaign since it was read. */
  revision!: number;

  static create(id: string, accountId: string, plan: CampaignPlan, now: Date): Campaign {
    const campaign = Object.assign(new Campaign(), {
      ...plan,
      id,
      accountId,
      status: 'draft',
      pauseReason: null,
      waitingFor: null,
      recipients: 0,
      accepted: 0,
      skippedSuppressed: 0,
      skippedNoConsent: 0,
      skippedOutOfTopic: 0,
      skippedDeleted: 0,
      skippedFailed: 0,
      createdAt: now,
      startedAt: null,
      endedAt: null,
      revision: 0,
    } as const);
    campaign.requireValidPlan();
    requireValidSchedule(plan.scheduledAt, now);
    return campaign;
  }

  get plan(): CampaignPlan {
    const { name, fromEmail, fromName, replyTo, subject, html, text, templateId, variables } = this;
    const { topicId, audience, scheduledAt, maxPerMinute } = this;
    return {
      ...{ name, fromEmail, fromName, replyTo, subject, html, text, templateId, variables },
      ...{ topicId, audience, scheduledAt, maxPerMinute },
    };
  }

  get skipped(): number {
    const { skippedSuppressed, skippedNoConsent, skippedOutOfTopic, skippedDeleted, skippedFailed } = this;
    return skippedSuppressed + skippedNoConsent + skippedOutOfTopic + skippedDeleted + skippedFailed;
  }

  /**
   * Absent fields are kept. A scheduled campaign without a time is a draft again. Throws `conflict` if the campaign has
   * started, and `invalid` for a plan that contradicts itself.
   */
  change(changes: Partial<CampaignPlan>, now: Date): void {
    if (this.status !== 'draft' && this.status !== 'scheduled') throw impossible(this.status);
    Object.assign(this, changes);
    this.requireValidPlan();
    if (changes.scheduledAt !== undefined) requireValidSchedule(changes.scheduledAt, now);
    if (this.status === 'scheduled' && this.scheduledAt === null) this.status = 'draft';
  }

  /** Returns whether anything changed. Throws `conflict` if the campaign cannot start. */
  start(now: Date): boolean {
    if (this.status === 'scheduled' || this.status === 'running') return false;
    if (this.status !== 'draft') throw impossible(this.status);
    requireValidSchedule(this.scheduledAt, now);
    if (this.scheduledAt !== null && this.scheduledAt > now) this.status = 'scheduled';
    else this.run(now);
    return true;
  }

  /** Starts a scheduled campaign that is due; pauses it if its time has long passed. */
  startDue(now: Date): boolean {
    if (this.status !== 'scheduled' || this.scheduledAt === null || this.scheduledAt > now) return false;
    if (now.getTime() - this.scheduledAt.getTime() > CAMPAIGN_MISSED_AFTER_MS) this.stop('missed');
    else this.run(now);
    return true;
  }

  pause(reason: PauseReason): boolean {
    if (this.status === 'paused') return false;
    if (this.status !== 'running') throw impossible(this.status);
    this.stop(reason);
    return true;
  }

  resume(now: Date): boolean {
    if (this.status === 'running') return false;
    if (this.status !== 'paused') throw impossible(this.status);
    this.run(now);
    return true;
  }

  cancel(now: Date): boolean {
    if (this.status === 'canceled') return false;
    if (this.status === 'draft' || this.status === 'completed') throw impossible(this.status);
    Object.assign(this, { status: 'canceled', pauseReason: null, waitingFor: null, endedAt: now });
    return true;
  }

  /** Throws `conflict` while the campaign is under way. */
  requireDeletable(): void {
    if (this.status === 'running' || this.status === 'paused') throw impossible(this.status);
  }

  /** Throws `conflict` unless recipients have been fed. A completed campaign runs again. */
  retry(now: Date): void {
    if (this.status === 'completed') this.run(now);
    else if (this.status !== 'running' && this.status !== 'paused') throw impossible(this.status);
  }

  private run(now: Date): void {
    const startedAt = this.startedAt ?? now;
    Object.assign(this, { status: 'running', pauseReason: null, waitingFor: null, startedAt, endedAt: null });
  }

  private stop(pauseReason: PauseReason): void {
    Object.assign(this, { status: 'paused', pauseReason, waitingFor: null });
  }

  private requireValidPlan(): void {
    const { subject, html, text, templateId, variables } = this;
    if (templateId === null && subject === null)
      throw DomainError.invalid('subject is required unless templateId is given');
    if (templateId === null && html === null && text === null)
      throw DomainError.invalid('html or text is required unless templateId is given');
    if (variables !== null && Object.hasOwn(variables, 'unsubscribeUrl'))
      throw DomainError.invalid('variables.unsubscribeUrl is set by the service');
  }
}

const impossible = (status: CampaignStatus): DomainError => DomainError.conflict(`Campaign is ${status}`);
