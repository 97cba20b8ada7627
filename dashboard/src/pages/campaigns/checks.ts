import type { Schemas } from '../../api/types';
import { htmlSize } from '../../components/html-size';
import type { Tone } from '../../components/status';
import { t, type TextId } from '../../texts/text';
import type { Rendered } from '../templates/use-rendered';
import type { Count } from './audience-count';
import { SAMPLE_UNSUBSCRIBE_URL } from './use-campaign-preview';
import type { EditedAudience } from './use-edited-audience';
import { domainOf, type Senders } from './use-senders';

const MAX_RECIPIENTS = 1_000_000;

export interface Check {
  tone: Tone;
  label: string;
  detail?: string;
  /** The campaign cannot start: the API would refuse it, or it is not known yet. */
  blocks?: true;
}

export function checkSender(fromEmail: string, { addresses, domains, isLoaded, areMore }: Senders): Check {
  const domain = domainOf(fromEmail);
  if (domain === null)
    return {
      tone: 'idle',
      label: t('campaigns.checks.sender.missing'),
      detail: t('campaigns.checks.sender.missing.detail'),
      blocks: true,
    };
  if (!isLoaded) return { tone: 'busy', label: t('campaigns.checks.sender.checking'), blocks: true };
  const sender = fromEmail.trim().toLowerCase();
  if (domains.includes(domain) || addresses.some((address) => address.toLowerCase() === sender))
    return { tone: 'good', label: t('campaigns.checks.sender.verified') };
  if (areMore)
    return {
      tone: 'idle',
      label: t('campaigns.checks.sender.unknown'),
      detail: t('campaigns.checks.sender.unknown.detail'),
    };
  return {
    tone: 'bad',
    label: t('campaigns.checks.sender.unverified'),
    detail: t('campaigns.checks.sender.unverified.detail', { email: fromEmail.trim() }),
    blocks: true,
  };
}

/** Returns null if email can be sent. */
export const checkProvider = (settings: Schemas['SettingsResponse'] | undefined): Check | null =>
  settings && !settings.canSend.email
    ? {
        tone: 'bad',
        label: t('campaigns.checks.provider.missing'),
        detail: t('campaigns.checks.provider.missing.detail'),
      }
    : null;

/** The result of the last check of the domain's DMARC record. Null without a sender. */
export function checkDmarc(fromEmail: string, { dmarc, isLoaded, areMore }: Senders): Check | null {
  const domain = domainOf(fromEmail);
  if (domain === null) return null;
  if (!isLoaded) return { tone: 'busy', label: t('campaigns.checks.dmarc.checking') };
  const found = dmarc.get(domain);
  switch (found?.status) {
    case 'found':
      return { tone: 'good', label: t('campaigns.checks.dmarc.found', { policy: found.policy ?? '' }) };
    case 'missing':
      return {
        tone: 'warning',
        label: t('campaigns.checks.dmarc.missing'),
        detail: t('campaigns.checks.dmarc.missing.detail', { detail: found.detail ?? '' }),
      };
    case 'unknown':
      return {
        tone: 'idle',
        label: t('campaigns.checks.dmarc.unknown'),
        detail: found.detail ?? t('campaigns.checks.dmarc.unknown.detail'),
      };
    default:
      return {
        tone: 'idle',
        label: t('campaigns.checks.dmarc.unknown'),
        detail: areMore ? t('campaigns.checks.dmarc.seeDomain') : t('campaigns.checks.dmarc.otherDomain', { domain }),
      };
  }
}

export function checkLink({ mail, error, isLoading }: Rendered): Check {
  if (error) return { tone: 'bad', label: t('campaigns.checks.content.failed'), detail: error.message, blocks: true };
  if (isLoading) return { tone: 'busy', label: t('campaigns.checks.content.checking'), blocks: true };
  if (!mail)
    return {
      tone: 'idle',
      label: t('campaigns.checks.content.missing'),
      detail: t('common.invalid.subjectAndBody'),
      blocks: true,
    };
  const lacks = (body: string | null) => body !== null && !unescaped(body).includes(SAMPLE_UNSUBSCRIBE_URL);
  const missing = { tone: 'bad', label: t('campaigns.checks.link.missing'), blocks: true } as const;
  if (lacks(mail.html)) return { ...missing, detail: t('campaigns.checks.link.missingInHtml') };
  if (lacks(mail.text)) return { ...missing, detail: t('campaigns.checks.link.missingInText') };
  return { tone: 'good', label: t('campaigns.checks.link.present') };
}

const unescaped = (html: string): string => html.replaceAll('&#x2F;', '/').replaceAll('&#47;', '/');

/** Returns null without HTML. */
export function checkSize({ mail }: Rendered): Check | null {
  if (!mail || mail.html === null) return null;
  const { kilobytes, isClipped } = htmlSize(mail.html);
  const label = t('campaigns.checks.size', { size: kilobytes });
  if (!isClipped) return { tone: 'good', label };
  return { tone: 'warning', label, detail: t('campaigns.checks.size.clipped') };
}

function reasonForNobody({ suppressed, withoutConsent, outOfTopic }: Count): TextId {
  if (withoutConsent > 0) return 'campaigns.checks.audience.noConsent';
  if (outOfTopic > 0) return 'campaigns.checks.audience.outOfTopic';
  return suppressed > 0 ? 'campaigns.checks.audience.suppressed' : 'campaigns.checks.audience.choose';
}

export function checkAudience({ count, error, stale }: Pick<EditedAudience, 'count' | 'error' | 'stale'>): Check {
  const notCounted = { label: t('campaigns.checks.audience.notCounted'), blocks: true } as const;
  if (stale !== null) return { ...notCounted, tone: 'idle', detail: stale };
  if (!count && error) return { ...notCounted, tone: 'bad', detail: error.message };
  if (!count) return { tone: 'busy', label: t('campaigns.checks.audience.counting'), blocks: true };
  const { active, suppressed, withoutConsent, outOfTopic } = count;
  if (active === 0)
    return {
      tone: 'bad',
      label: t('campaigns.checks.audience.none'),
      detail: t(reasonForNobody(count)),
      blocks: true,
    };
  const label = t('campaigns.recipientCount', { count: active });
  if (active + suppressed + withoutConsent + outOfTopic > MAX_RECIPIENTS)
    return {
      tone: 'bad',
      label,
      detail: t('campaigns.checks.audience.limit', { count: MAX_RECIPIENTS }),
      blocks: true,
    };
  return { tone: 'good', label };
}

/** Returns null if every recipient has a value for each placeholder. */
export function checkValues(missing: Schemas['MissingValuesResponse'] | undefined): Check | null {
  if (!missing || missing.items.length === 0) return null;
  const shown = missing.items.map(({ name, recipients }) => t('campaigns.checks.values.of', { name, recipients }));
  return { tone: 'warning', label: t('campaigns.checks.values.missing'), detail: shown.join(', ') };
}

/** Returns null if all recipients fit into today's limit. */
export function checkDailyLimit(
  count: Count | undefined,
  usage: Schemas['UsageResponse'] | undefined,
  sharePercent: number | undefined,
): Check | null {
  if (!count || !usage || sharePercent === undefined) return null;
  // Rounded up, as the service does.
  const limit = usage.cap - Math.floor((usage.cap * (100 - sharePercent)) / 100);
  const today = Math.max(0, limit - usage.used);
  if (count.active <= today) return null;
  return {
    tone: 'warning',
    label: t('campaigns.checks.dailyLimit', { count: today }),
    detail: t('campaigns.checks.dailyLimit.detail', { count: limit }),
  };
}
