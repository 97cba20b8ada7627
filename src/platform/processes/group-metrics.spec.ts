import { describe, expect, it } from '@jest/globals';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

import { GroupMetrics } from './group-metrics.js';

/** Metrics of a process that has accepted `accepted` messages and has `open` requests. */
async function metricsOf({ accepted = 0, open = 0, startedAt = 0 }) {
  const registers = [new Registry()];
  new Counter({ name: 'accepted_total', help: '-', labelNames: ['channel'], registers }).inc(
    { channel: 'email' },
    accepted,
  );
  const duration = new Histogram({ name: 'seconds', help: '-', buckets: [1], registers });
  for (let i = 0; i < accepted; i++) duration.observe(0.5);
  new Gauge({ name: 'open', help: '-', registers }).set(open);
  new Gauge({ name: 'process_start_time_seconds', help: '-', registers, aggregator: 'omit' }).set(startedAt);
  return registers[0]!.getMetricsAsJSON();
}

const samplesOf = (text: string) =>
  Object.fromEntries([...text.matchAll(/^(\w\S*) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]));

describe('GroupMetrics', () => {
  it('adds up counters, histograms and gauges, and has the start of the newest process', async () => {
    const metrics = new GroupMetrics();
    metrics.record(1, await metricsOf({ accepted: 2, open: 1, startedAt: 100 }));
    metrics.record(2, await metricsOf({ accepted: 3, open: 4, startedAt: 200 }));
    expect(samplesOf(await metrics.text())).toEqual({
      'accepted_total{channel="email"}': 5,
      'seconds_bucket{le="1"}': 5,
      'seconds_bucket{le="+Inf"}': 5,
      seconds_count: 5,
      seconds_sum: 2.5,
      open: 5,
      process_start_time_seconds: 200,
    });
  });

  it('replaces what it has read before from the same process', async () => {
    const metrics = new GroupMetrics();
    metrics.record(1, await metricsOf({ accepted: 2 }));
    metrics.record(1, await metricsOf({ accepted: 3 }));
    expect(samplesOf(await metrics.text())['accepted_total{channel="email"}']).toBe(3);
  });

  it('keeps the totals of processes that have ended, but not their gauges', async () => {
    const metrics = new GroupMetrics();
    for (const process of [1, 2]) {
      metrics.record(process, await metricsOf({ accepted: 2, open: 1 }));
      metrics.retire(process);
    }
    metrics.retire(3);
    metrics.record(4, await metricsOf({ accepted: 1, open: 1 }));
    expect(samplesOf(await metrics.text())).toMatchObject({
      'accepted_total{channel="email"}': 5,
      seconds_count: 5,
      open: 1,
    });
  });

  it('is empty without processes', async () => {
    expect(samplesOf(await new GroupMetrics().text())).toEqual({});
  });
});
