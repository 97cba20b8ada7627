import { AggregatorRegistry } from 'prom-client';

import type { MetricSamples } from './group-messages.js';

/** The rules of metrics that prom-client would add up or aggregate by a wrong rule. */
const AGGREGATORS: Readonly<Record<string, 'max' | 'min'>> = {
  // Changes whenever a process is replaced.
  process_start_time_seconds: 'max',
  process_max_fds: 'min',
  // One blocked process must not disappear in an average.
  nodejs_eventloop_lag_seconds: 'max',
  nodejs_eventloop_lag_mean_seconds: 'max',
  nodejs_eventloop_lag_stddev_seconds: 'max',
  nodejs_eventloop_lag_p50_seconds: 'max',
  nodejs_eventloop_lag_p90_seconds: 'max',
  nodejs_eventloop_lag_p99_seconds: 'max',
  // Each process reads it from the same standby.
  database_replica_lag_bytes: 'max',
};

/**
 * Metrics of several processes as those of one. Counters and histograms of processes that have ended are kept, as last
 * read: without them the totals would decrease, which Prometheus takes for a reset.
 */
export class GroupMetrics {
  private readonly latest = new Map<number, MetricSamples[]>();
  private ended: Promise<MetricSamples[]> = Promise.resolve([]);

  /** Replaces the metrics last read from the process. */
  record(process: number, metrics: readonly MetricSamples[]): void {
    const withRules = metrics.map((metric) => ({
      ...metric,
      aggregator: AGGREGATORS[metric.name] ?? metric.aggregator,
    }));
    this.latest.set(process, withRules);
  }

  /** Keeps the totals of a process that has ended, and drops its other metrics. */
  retire(process: number): void {
    const totals = this.latest.get(process)?.filter(isTotal);
    this.latest.delete(process);
    if (totals) this.ended = this.ended.then((ended) => merge([ended, totals]).getMetricsAsJSON());
  }

  /** Returns the metrics in the text format of Prometheus. */
  async text(): Promise<string> {
    return merge([...this.latest.values(), await this.ended]).metrics();
  }
}

const merge = (metrics: MetricSamples[][]) => AggregatorRegistry.aggregate(metrics);

/** The types of prom-client declare `type` as an enum of numbers, but it is a word. */
const isTotal = ({ type }: MetricSamples): boolean => ['counter', 'histogram'].includes(String(type));
