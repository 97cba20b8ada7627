import type { MetricObjectWithValues, MetricValue } from 'prom-client';

export type MetricSamples = MetricObjectWithValues<MetricValue<string>>;

/** A message of a process of the group to the primary. */
export type ToPrimary =
  | { kind: 'ready' }
  | { kind: 'failed'; reason: string }
  | { kind: 'scrape' }
  | { kind: 'metrics'; metrics: MetricSamples[] };

/** A message of the primary to a process: a request for its metrics, or the text that it has requested. */
export type ToMember = { kind: 'read-metrics' } | { kind: 'scraped'; text: string };
