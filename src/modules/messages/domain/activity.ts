import { DAY_MS, dayOf } from '../../../shared/utc-day.js';
import type { StatusCount } from './message-totals.js';

const HOUR_MS = DAY_MS / 24;

export const ACTIVITY_PERIODS = ['24h', '7d', '30d'] as const;
export type ActivityPeriod = (typeof ACTIVITY_PERIODS)[number];

export type ActivityInterval = 'hour' | 'day';

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

/** Hours or UTC days, the current one last. */
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
