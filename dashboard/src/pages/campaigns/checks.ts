import type { Schemas } from '../../api/types';
import type { Tone } from '../../components/status';
import type { Rendered } from '../templates/use-rendered';
import { recipients, type Count } from './audience-count';
import { SAMPLE_UNSUBSCRIBE_URL } from './use-campaign-preview';
import { domainOf, type Senders } from './use-senders';

/** Gmail shows the rest of a longer message on request only, and with it the unsubscribe link. */
const CLIPPED_ABOVE_BYTES = 102_000;
const MAX_RECIPIENTS = 1_000_000;

export interface Check {
  tone: Tone;
  label: string;
  detail?: string;
}

export function checkSender(fromEmail: string, { addresses, domains, isLoaded, areMore }: Senders): Check {
  const domain = domainOf(fromEmail);
  if (domain === null) return { tone: 'idle', label: 'Sender missing', detail: 'Enter the address to send from.' };
  if (!isLoaded) return { tone: 'busy', label: 'Checking the sender' };
  const sender = fromEmail.trim().toLowerCase();
  if (domains.includes(domain) || addresses.some((address) => address.toLowerCase() === sender))
    return { tone: 'good', label: 'Sender verified' };
  if (areMore) return { tone: 'idle', label: 'Sender not checked yet', detail: 'It is checked at the start.' };
  return {
    tone: 'bad',
    label: 'Sender not verified',
    detail: `Verify ${fromEmail.trim()} or its domain under Domains and senders.`,
  };
}

/** Null if email can be sent. */
export const checkProvider = (settings: Schemas['SettingsResponse'] | undefined): Check | null =>
  settings && !settings.canSend.email
    ? { tone: 'bad', label: 'No email provider', detail: 'Messages would wait. Configure a provider in the settings.' }
    : null;

/** What the service found when it last checked the domain. Null without a sender. */
export function checkDmarc(fromEmail: string, { dmarc, isLoaded, areMore }: Senders): Check | null {
  const domain = domainOf(fromEmail);
  if (domain === null) return null;
  if (!isLoaded) return { tone: 'busy', label: 'Checking the DMARC record' };
  const found = dmarc.get(domain);
  switch (found?.status) {
    case 'found':
      return { tone: 'good', label: `DMARC record found: policy ${found.policy}` };
    case 'missing':
      return {
        tone: 'warning',
        label: 'DMARC record not found',
        detail: `Gmail and Yahoo may reject bulk mail without one. ${found.detail}.`,
      };
    case 'unknown':
      return {
        tone: 'idle',
        label: 'DMARC record not checked',
        detail: found.detail ?? 'It is looked up when the domain is checked next.',
      };
    default:
      return {
        tone: 'idle',
        label: 'DMARC record not checked',
        detail: areMore
          ? 'The page of the domain shows it.'
          : `${domain} is not a domain of this account. Gmail and Yahoo may reject bulk mail without a record at _dmarc.${domain}.`,
      };
  }
}

export function checkLink({ mail, error }: Rendered): Check {
  if (error) return { tone: 'bad', label: 'Content cannot be rendered', detail: error.message };
  if (!mail) return { tone: 'idle', label: 'Content missing', detail: 'Enter a subject and a body.' };
  const lacks = (body: string | null) => body !== null && !unescaped(body).includes(SAMPLE_UNSUBSCRIBE_URL);
  if (lacks(mail.html) || lacks(mail.text)) {
    const where = lacks(mail.html) ? 'HTML' : 'plain text';
    return { tone: 'bad', label: 'Unsubscribe link missing', detail: `Add {{unsubscribeUrl}} to the ${where}.` };
  }
  return { tone: 'good', label: 'Unsubscribe link present' };
}

const unescaped = (html: string): string => html.replaceAll('&#x2F;', '/').replaceAll('&#47;', '/');

/** Null without HTML. */
export function checkSize({ mail }: Rendered): Check | null {
  if (!mail || mail.html === null) return null;
  const bytes = new TextEncoder().encode(mail.html).length;
  const size = `${Math.ceil(bytes / 1_000).toLocaleString()} kB`;
  if (bytes <= CLIPPED_ABOVE_BYTES) return { tone: 'good', label: `Size: ${size}` };
  return {
    tone: 'warning',
    label: `Size: ${size}`,
    detail: 'Gmail clips messages above 102 kB. Most readers would not see the end, nor the unsubscribe link.',
  };
}

export function checkAudience(count: Count | undefined, stale: string | null): Check {
  if (stale !== null) return { tone: 'idle', label: 'Recipients not counted yet', detail: stale };
  if (!count) return { tone: 'busy', label: 'Counting the recipients' };
  const { active, suppressed } = count;
  if (active === 0)
    return {
      tone: 'bad',
      label: 'No recipients',
      detail: suppressed > 0 ? 'All contacts of the audience are suppressed.' : 'Choose lists or tags with contacts.',
    };
  if (active + suppressed > MAX_RECIPIENTS)
    return { tone: 'bad', label: recipients(active), detail: `The limit is ${MAX_RECIPIENTS.toLocaleString()}.` };
  return { tone: 'good', label: recipients(active) };
}

/** Null if all recipients fit into today. */
export function checkDailyLimit(
  count: Count | undefined,
  usage: Schemas['UsageResponse'] | undefined,
  sharePercent: number | undefined,
): Check | null {
  if (!count || !usage || sharePercent === undefined) return null;
  const limit = Math.floor((usage.cap * sharePercent) / 100);
  const today = Math.max(0, limit - usage.used);
  if (count.active <= today) return null;
  return {
    tone: 'warning',
    label: `About ${today.toLocaleString()} of them fit into today’s limit`,
    detail: `Campaigns wait for the next UTC day once ${limit.toLocaleString()} messages have been accepted.`,
  };
}
