import type { UseFormReturnType } from '@mantine/form';

import type { Schemas } from '../../api/types';
import { changedFields } from '../../components/changed-fields';
import { t } from '../../texts/text';
import { parseVariables } from '../templates/parse-variables';
import type { Campaign } from './campaign-status';
import { LOCAL_ZONE, toWallClock, toZonedIso } from '../../components/zoned-time';

export interface CampaignValues {
  name: string;
  fromEmail: string;
  fromName: string;
  replyTo: string;
  source: 'own' | 'template';
  templateId: string | null;
  subject: string;
  html: string;
  text: string;
  /** Whether html and text replace those of the template. Set through the API only. */
  replacesBodies: boolean;
  /** A JSON text. */
  variables: string;
  audience: Campaign['audience'];
  topicId: string | null;
  timing: 'at_once' | 'scheduled';
  /** A wall-clock time in `zone`. */
  scheduledAt: string;
  zone: string;
  maxPerMinute: number | string;
}

export type CampaignForm = UseFormReturnType<CampaignValues>;

const NEW: CampaignValues = {
  ...{ name: '', fromEmail: '', fromName: '', replyTo: '' },
  ...{ source: 'own', templateId: null, subject: '', html: '', text: '' },
  ...{ replacesBodies: false, variables: '{}' },
  audience: { listIds: [], tags: [], excludeListIds: [], excludeTags: [] },
  topicId: null,
  ...{ timing: 'at_once', scheduledAt: '', zone: LOCAL_ZONE, maxPerMinute: '' },
};

export function valuesOf(campaign: Campaign | null, zone = LOCAL_ZONE): CampaignValues {
  if (!campaign) return NEW;
  const { name, fromEmail, fromName, replyTo, templateId, subject, html, text, variables } = campaign;
  const { audience, topicId, scheduledAt, maxPerMinute } = campaign;
  return {
    ...{ name, fromEmail, fromName: fromName ?? '', replyTo: replyTo ?? '' },
    source: templateId === null ? 'own' : 'template',
    ...{ templateId, subject: subject ?? '', html: html ?? '', text: text ?? '' },
    replacesBodies: templateId !== null && (html !== null || text !== null),
    variables: JSON.stringify(variables ?? {}, null, 2),
    audience,
    topicId,
    timing: scheduledAt === null ? 'at_once' : 'scheduled',
    scheduledAt: scheduledAt === null ? '' : toWallClock(scheduledAt, zone),
    zone,
    maxPerMinute: maxPerMinute ?? '',
  };
}

export function toBody(values: CampaignValues): Schemas['CreateCampaignDto'] {
  const { name, fromEmail, fromName, replyTo, source, templateId, subject } = values;
  const { html, text } = ownBodies(values);
  return {
    name: name.trim(),
    fromEmail: fromEmail.trim(),
    fromName: fromName.trim() || null,
    replyTo: replyTo.trim() || null,
    templateId: source === 'template' ? templateId : null,
    subject: subject || null,
    html: html || null,
    text: text || null,
    variables: parseVariables(values.variables),
    audience: values.audience,
    topicId: values.topicId,
    scheduledAt: values.timing === 'at_once' ? null : toZonedIso(values.scheduledAt, values.zone),
    maxPerMinute: values.maxPerMinute === '' ? null : Number(values.maxPerMinute),
  };
}

/** The changed fields. Changed bodies are always sent with their source, and a changed source with its bodies. */
export function toChanges(initial: CampaignValues, edited: CampaignValues): Schemas['ChangeCampaignDto'] {
  const body = toBody(edited);
  const { templateId, html, text } = body;
  const changed = changedFields(toBody(initial), body);
  return {
    ...changed,
    ...(('html' in changed || 'text' in changed) && { templateId }),
    ...('templateId' in changed && { html, text }),
  };
}

/** Keeps edited bodies together with the source and the subject that they were edited for. */
export function keepContent(
  edited: Partial<CampaignValues>,
  { source, replacesBodies, subject, html, text }: CampaignValues,
  stored: CampaignValues,
): Partial<CampaignValues> {
  const isTyped = edited.html !== undefined || edited.text !== undefined;
  return isTyped && source !== stored.source ? { ...edited, source, replacesBodies, subject, html, text } : edited;
}

/** The bodies that the campaign has of its own. */
export const ownBodies = ({ source, replacesBodies, html, text }: CampaignValues) =>
  source === 'own' || replacesBodies ? { html, text } : { html: '', text: '' };

const isMissing = (text: string): boolean => text.trim() === '';

/** Checks the values that can be checked without the API. */
export const validate = (values: CampaignValues): Record<string, string | null> => ({
  name: isMissing(values.name) ? t('campaigns.invalid.name') : null,
  fromEmail: isMissing(values.fromEmail) ? t('campaigns.invalid.fromEmail') : null,
  subject: values.source === 'own' && isMissing(values.subject) ? t('campaigns.invalid.subject') : null,
  html: values.source === 'own' && values.html === '' && values.text === '' ? t('campaigns.invalid.content') : null,
  templateId: values.source === 'template' && values.templateId === null ? t('campaigns.invalid.template') : null,
  variables: parseVariables(values.variables) === null ? t('common.invalid.json') : null,
  scheduledAt: values.timing === 'scheduled' && values.scheduledAt === '' ? t('campaigns.invalid.scheduledAt') : null,
});

const FIELDS =
  /^(name|fromEmail|fromName|replyTo|templateId|subject|html|text|variables|topicId|audience|scheduledAt|maxPerMinute)\b/;
const AUDIENCE_FIELDS = /^audience\.(listIds|tags|excludeListIds|excludeTags)\b/;

/** Assigns the errors of the API to form fields; `rest` has those that belong to none. */
export function placeFaults(
  message: string,
  { source }: CampaignValues,
): { fields: Record<string, string>; rest: string } {
  const fields: Record<string, string> = {};
  const rest: string[] = [];
  for (const fault of message.split('; ')) {
    const field = fieldOf(fault);
    // A body of a template has no field here.
    const shown = source === 'template' && (field === 'html' || field === 'text') ? 'templateId' : field;
    if (shown === null) rest.push(fault);
    else fields[shown] ??= fault;
  }
  return { fields, rest: rest.join('; ') };
}

function fieldOf(fault: string): string | null {
  if (fault.endsWith('is not verified for sending')) return 'fromEmail';
  const inAudience = AUDIENCE_FIELDS.exec(fault)?.[1];
  if (inAudience !== undefined) return `audience.${inAudience}`;
  const field = FIELDS.exec(fault)?.[1] ?? null;
  return field === 'audience' ? 'audience.listIds' : field;
}
