import { DAY_MS, dayOf } from '../../../shared/utc.js';
import type { StatusCount } from './message-totals.js';

const HOUR_MS = DAY_MS / 24;

export const ACTIVITY_PERIODS = ['24h', '7d', '30d'] as const;
export type ActivityPeriod = (typeof ACTIVITY_PERIODS)[number];

export const ACTIVITY_INTERVALS = ['hour', 'day'] as const;
export type ActivityInterval = (typeof ACTIVITY_INTERVALS)[number];

/** The results, so far, of the messages accepted in a period. */
export interface Outcome {
  accepted: number;
  /** Accepted by the provider, including those that bounced later. */
  sent: number;
  /** Accepted by the recipient's server; includes complaints. */
  delivered: number;
  bounced: number;
  complained: number;
  failed: number;
  /** Messages that a person opened at least once. */
  opened: number;
  clicked: number;
}

export interface ActivityBucket extends Outcome {
  /** The start of the hour or UTC day. */
  from: Date;
}

/** Consecutive hours or UTC days. */
export interface ActivitySpan {
  interval: ActivityInterval;
  starts: readonly Date[];
}

export function spanOf(period: ActivityPeriod, now: Date): ActivitySpan {
  if (period === '24h')
    return { interval: 'hour', starts: startsUntil(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS, HOUR_MS, 24) };
  return { interval: 'day', starts: startsUntil(dayOf(now).getTime(), DAY_MS, period === '7d' ? 7 : 30) };
}

const startsUntil = (last: number, stepMs: number, count: number): Date[] =>
  Array.from({ length: count }, (_, i) => new Date(last - (count - 1 - i) * stepMs));

const LONGEST = { hour: { stepMs: HOUR_MS, count: 48 }, day: { stepMs: DAY_MS, count: 90 } } as const;

/** Events of the messages of a campaign, by the time at which they happened. */
export interface CampaignEvents {
  /** Accepted by the provider. */
  sent: number;
  /** Accepted by the recipient's server. */
  delivered: number;
  /** Opens and clicks by people, including repeated ones. */
  opens: number;
  clicks: number;
}

export interface CampaignEventBucket extends CampaignEvents {
  /** The start of the hour or UTC day. */
  from: Date;
}

/**
 * The first 48 hours or 90 UTC days since `startedAt`, as far as they have begun; if `endedAt`, or the present without
 * it, is later, the last ones up to that. By default hours in the first two days, and days afterwards.
 */
export function spanSince(
  { startedAt, endedAt }: { startedAt: Date; endedAt: Date | null },
  now: Date,
  interval: ActivityInterval = now.getTime() - startedAt.getTime() < 2 * DAY_MS ? 'hour' : 'day',
): ActivitySpan {
  const { stepMs, count } = LONGEST[interval];
  const startOf = (time: Date) => Math.floor(time.getTime() / stepMs) * stepMs;
  const first = startOf(startedAt);
  const end = Math.max(first + (count - 1) * stepMs, startOf(endedAt ?? now));
  const last = Math.max(first, Math.min(startOf(now), end));
  return { interval, starts: startsUntil(last, stepMs, Math.min(count, (last - first) / stepMs + 1)) };
}

export function outcomeOf(counts: readonly StatusCount[]): Outcome {
  const inStatus = (...statuses: StatusCount['status'][]) =>
    sum(
      counts.filter(({ status }) => statuses.includes(status)),
      'messages',
    );
  return {
    accepted: sum(counts, 'messages'),
    sent: inStatus('sent', 'delivered', 'bounced', 'complained'),
    delivered: inStatus('delivered', 'complained'),
    bounced: inStatus('bounced'),
    complained: inStatus('complained'),
    failed: inStatus('failed'),
    opened: sum(counts, 'opened'),
    clicked: sum(counts, 'clicked'),
  };
}

const sum = (counts: readonly StatusCount[], field: Exclude<keyof StatusCount, 'status'>): number =>
  counts.reduce((total, count) => total + count[field], 0);
