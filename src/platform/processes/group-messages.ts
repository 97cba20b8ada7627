import type { MetricObjectWithValues, MetricValue } from 'prom-client';

export type MetricSamples = MetricObjectWithValues<MetricValue<string>>;

/** What a process of the group sends to the primary. */
export type ToPrimary =
  | { kind: 'ready' }
  | { kind: 'failed'; reason: string }
  | { kind: 'scrape' }
  | { kind: 'metrics'; metrics: MetricSamples[] };

/** What the primary sends to a process: a request for its metrics, or the text that it has asked for. */
export type ToMember = { kind: 'read-metrics' } | { kind: 'scraped'; text: string };
