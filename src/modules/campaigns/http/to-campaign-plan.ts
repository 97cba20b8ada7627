import type { Audience, CampaignPlan } from '../domain/campaign.js';
import type { CampaignAudienceDto } from './dto/campaign-audience.dto.js';
import type { ChangeCampaignDto, CreateCampaignDto } from './dto/write-campaign.dto.js';

export function toPlan({ name, fromEmail, ...fields }: CreateCampaignDto): CampaignPlan {
  const { fromName = null, replyTo = null, subject = null, html = null, text = null } = fields;
  const {
    templateId = null,
    variables = null,
    audience = {},
    scheduledAt = null,
    maxPerMinute = null,
    topicId = null,
  } = fields;
  return {
    ...{ name, fromEmail: fromEmail.trim(), fromName, replyTo: replyTo?.trim() ?? null, subject, html, text },
    ...{ templateId, variables, maxPerMinute, topicId },
    audience: toAudience(audience),
    scheduledAt: toTime(scheduledAt),
  };
}

/** Leaves absent fields absent. */
export function toChanges({ audience, scheduledAt, ...fields }: ChangeCampaignDto): Partial<CampaignPlan> {
  const { fromEmail, replyTo } = fields;
  const given = {
    ...fields,
    fromEmail: fromEmail?.trim(),
    replyTo: replyTo?.trim() ?? replyTo,
    audience: audience && toAudience(audience),
    scheduledAt: scheduledAt === undefined ? undefined : toTime(scheduledAt),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const toAudience = ({ listIds, tags, excludeListIds, excludeTags }: CampaignAudienceDto): Audience => ({
  listIds: unique(listIds),
  tags: unique(tags),
  excludeListIds: unique(excludeListIds),
  excludeTags: unique(excludeTags),
});

const unique = (values: readonly string[] = []): string[] => [...new Set(values)];

const toTime = (text: string | null): Date | null => (text === null ? null : new Date(text));
