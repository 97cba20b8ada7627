import type { MessageDetail, Schemas } from '../../api/types';
import { formatDuration } from '../../components/duration';
import { t } from '../../texts/text';
import { mailClientOf } from './mail-client';

type Event = Schemas['EmailEventResponse'];
type Message = Pick<MessageDetail, 'channel' | 'createdAt' | 'scheduledAt' | 'status' | 'events'>;

interface Fact {
  label: string;
  value: string;
  /** `time`: an ISO time. `code`: raw text of the server or the mail. */
  kind: 'text' | 'time' | 'code';
}

export interface TimelineEntry {
  id: string;
  kind: Event['type'] | 'accepted' | 'upcoming';
  title: string;
  at: string;
  /** The time since the previous entry; null for the first one, or if it is not known. */
  since: string | null;
  /** Whole sentences or short remarks. */
  notes: string[];
  facts: Fact[];
}

/** The maximum number of attempts of the service. */
const MAX_ATTEMPTS = 8;

/** The order of events in the same second: the times of most providers have no fractions. */
const ORDER: readonly Event['type'][] = [
  'sent',
  'delayed',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained',
  'failed',
  'canceled',
];

/** The acceptance, the events and what comes next, oldest first. */
export function timelineOf(message: Message): TimelineEntry[] {
  const entries = [acceptanceOf(message), ...inOrder(message.events).map((event) => toEntry(event, message))];
  const next = nextOf(message);
  return withDifferences(next ? [...entries, next] : entries);
}

function inOrder(events: readonly Event[]): Event[] {
  const rankOf = (event: Event) => (isOwnDelay(event) ? -1 : ORDER.indexOf(event.type));
  const secondOf = ({ occurredAt }: Event) => Math.floor(Date.parse(occurredAt) / 1_000);
  return [...events].sort(
    (a, b) =>
      secondOf(a) - secondOf(b) ||
      rankOf(a) - rankOf(b) ||
      Date.parse(a.occurredAt) - Date.parse(b.occurredAt) ||
      (a.id < b.id ? -1 : 1),
  );
}

/** Whether an attempt of the service failed. Providers report delays, too, but after they have accepted the message. */
const isOwnDelay = ({ type, data }: Event): boolean =>
  type === 'delayed' && ('attempt' in data || 'nextAttemptAt' in data);

const acceptanceOf = ({ createdAt }: Message): TimelineEntry => ({
  id: 'accepted',
  kind: 'accepted',
  title: t('messages.column.accepted'),
  at: createdAt,
  since: null,
  notes: [],
  facts: [],
});

/** The next attempt of a message that is waiting for it. */
function nextOf({ status, scheduledAt, events }: Message): TimelineEntry | null {
  if (status !== 'queued') return null;
  const last = inOrder(events).findLast(isOwnDelay);
  if (!last) return scheduledAt === null ? null : upcoming(t('messages.timeline.scheduled'), scheduledAt);
  const { nextAttemptAt, attempt, reason } = last.data;
  // It may have been rescheduled since.
  if (reason === QUIET_HOURS && scheduledAt !== null) return upcoming(t('messages.timeline.scheduled'), scheduledAt);
  if (typeof nextAttemptAt !== 'string') return null;
  const title =
    typeof attempt === 'number'
      ? t('messages.timeline.nextAttempt', { attempt: attempt + 1, max: MAX_ATTEMPTS })
      : t('messages.detail.nextAttemptAt');
  return upcoming(title, nextAttemptAt);
}

const upcoming = (title: string, at: string): TimelineEntry => ({
  id: 'upcoming',
  kind: 'upcoming',
  title,
  at,
  since: null,
  notes: [],
  facts: [],
});

function toEntry(event: Event, { channel }: Message): TimelineEntry {
  const { id, type, occurredAt, data } = event;
  return {
    id,
    kind: type,
    title: titleOf(event),
    at: occurredAt,
    since: null,
    notes: notesOf(event),
    facts: factsOf(data, channel),
  };
}

const QUIET_HOURS = 'quiet_hours';
const TITLES_OF_DELAYS = new Map<unknown, 'messages.timeline.interrupted' | 'messages.timeline.held'>([
  ['worker_lost', 'messages.timeline.interrupted'],
  [QUIET_HOURS, 'messages.timeline.held'],
]);

function titleOf({ type, data }: Event): string {
  switch (type) {
    case 'sent':
    case 'delivered':
    case 'failed':
    case 'canceled':
      return t(`common.messageStatus.${type}`);
    case 'opened':
    case 'clicked':
      return titleOfVisit(type, data);
    case 'delayed':
      return t(TITLES_OF_DELAYS.get(data.reason) ?? 'messages.timeline.delayed');
    case 'bounced':
      if (data.bounceType === 'hard') return t('messages.timeline.hardBounce');
      return t(data.bounceType === 'soft' ? 'messages.timeline.softBounce' : 'common.messageStatus.bounced');
    case 'complained':
      return t(data.feedbackType === 'not-spam' ? 'messages.timeline.notSpam' : 'messages.timeline.spam');
  }
}

function titleOfVisit(type: 'opened' | 'clicked', data: Event['data']): string {
  const client = clientOf(data);
  const kind = data.automated === true ? 'Automatically' : '';
  if (client === null) return t(`messages.timeline.${type}${kind}`);
  return t(`messages.timeline.${type}${kind}In`, { client });
}

const clientOf = ({ userAgent }: Event['data']): string | null =>
  typeof userAgent === 'string' ? mailClientOf(userAgent) : null;

function notesOf({ data }: Event): string[] {
  const notes: string[] = [];
  if (typeof data.attempt === 'number')
    notes.push(t('messages.timeline.attempt', { attempt: data.attempt, max: MAX_ATTEMPTS }));
  if (data.reason === 'worker_lost') notes.push(t('messages.timeline.workerLost'));
  if (data.reason === QUIET_HOURS) notes.push(t('messages.timeline.quietHours'));
  if (data.outcomeUnknown === true) notes.push(t('messages.timeline.outcomeUnknown'));
  return notes;
}

/** The known details, in the order in which they are shown. */
const KNOWN = [
  'smtpResponse',
  'diagnosticCode',
  'reason',
  'detail',
  'status',
  'bounceSubType',
  'complaintSubType',
  'delayType',
  'feedbackType',
  'providerSuppression',
  'nextAttemptAt',
  'expirationTime',
  'arrivalDate',
  'processingTimeMillis',
  'url',
  'userAgent',
  'ip',
  'reportingMta',
  'remoteMtaIp',
] as const;
const isKnown = (name: string): name is (typeof KNOWN)[number] => KNOWN.some((known) => known === name);
const TIMES: readonly string[] = ['nextAttemptAt', 'expirationTime', 'arrivalDate'];
const AS_WRITTEN: readonly string[] = ['smtpResponse', 'diagnosticCode', 'url', 'userAgent'];
/** Details that the title or the notes already contain. */
const SAID: readonly string[] = ['attempt', 'outcomeUnknown', 'automated', 'bounceType'];

function factsOf(data: Event['data'], channel: Message['channel']): Fact[] {
  const isSaid = (name: string) =>
    SAID.includes(name) ||
    (name === 'reason' && TITLES_OF_DELAYS.has(data.reason)) ||
    (name === 'feedbackType' && (data.feedbackType === 'abuse' || data.feedbackType === 'not-spam')) ||
    (name === 'userAgent' && clientOf(data) !== null);
  const known = KNOWN.filter((name) => name in data);
  const others = Object.keys(data).filter((name) => !isKnown(name));
  return [...known, ...others]
    .filter((name) => !isSaid(name) && data[name] !== null && data[name] !== '')
    .map((name) => toFact(name, data[name], channel));
}

function toFact(name: string, value: unknown, channel: Message['channel']): Fact {
  const label = labelOf(name, channel);
  if (name === 'processingTimeMillis' && typeof value === 'number')
    return { label, value: formatDuration(value), kind: 'text' };
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (TIMES.includes(name) && !Number.isNaN(Date.parse(text))) return { label, value: text, kind: 'time' };
  return { label, value: text, kind: AS_WRITTEN.includes(name) ? 'code' : 'text' };
}

function labelOf(name: string, channel: Message['channel']): string {
  if (name === 'smtpResponse' && channel === 'sms') return t('messages.detail.providerResponse');
  return isKnown(name) ? t(`messages.detail.${name}`) : toWords(name);
}

/** `contactList` becomes `Contact list`. */
function toWords(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function withDifferences(entries: readonly TimelineEntry[]): TimelineEntry[] {
  return entries.map((entry, i) => {
    const before = entries[i - 1];
    const elapsed = before ? Date.parse(entry.at) - Date.parse(before.at) : -1;
    return elapsed < 0 ? entry : { ...entry, since: formatDuration(elapsed) };
  });
}
