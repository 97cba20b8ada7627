import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

import { Config } from '../../config/config.js';
import { Database } from '../database/database.js';
import type { ReadReplica } from '../database/read-replica.js';
import { GroupScrape } from '../processes/group-scrape.js';
import { BullJobQueue } from '../queue/bull-job-queue.js';
import { RequestsInFlight } from './requests-in-flight.js';

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

type Read<L extends string> = (gauge: Gauge<L>) => unknown;

/** The Prometheus metrics at /metrics: those of this process, or of all of PROCESSES, and those of the installation. */
@Injectable()
export class Metrics implements OnApplicationShutdown {
  readonly registry = new Registry();
  /** Reads the database and the queue, and is therefore the same in every process. */
  private readonly installation = new Registry();
  private readonly group: GroupScrape | undefined;

  /** Durations in seconds. */
  readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'HTTP requests by method, route and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SECONDS,
    registers: [this.registry],
  });

  readonly accepted = new Counter({
    name: 'messages_accepted_total',
    help: 'Messages accepted by channel',
    labelNames: ['channel'] as const,
    registers: [this.registry],
  });

  readonly visits = new Counter({
    name: 'tracking_visits_total',
    help: 'Opens and clicks of natively tracked messages by type and outcome (recorded, unmatched, dropped, failed)',
    labelNames: ['type', 'outcome'] as const,
    registers: [this.registry],
  });

  /** Durations in seconds. */
  readonly deliveries = new Histogram({
    name: 'message_delivery_duration_seconds',
    help:
      'Delivery attempts by channel (email, sms), lane (email, sms, bulk) and outcome ' +
      '(sent, retry, postponed, failed, bounced, suppressed, released, claim_lost)',
    labelNames: ['channel', 'lane', 'outcome'] as const,
    buckets: SECONDS,
    registers: [this.registry],
  });

  readonly sendingSlotsDropped = new Counter({
    name: 'sending_slots_dropped_total',
    help: 'Slots of sending rates that passed unused, with messages waiting, while the process did not run',
    registers: [this.registry],
  });

  /** Durations in seconds. */
  readonly webhookAttempts = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Webhook attempts by outcome (delivered, retrying, failed, failed_permanent, claim_lost)',
    labelNames: ['outcome'] as const,
    buckets: SECONDS,
    registers: [this.registry],
  });

  readonly providerEvents = new Counter({
    name: 'provider_events_total',
    help: 'Events reported by providers, by provider and outcome (recorded, known, unmatched, unknown; later matched or expired)',
    labelNames: ['provider', 'outcome'] as const,
    registers: [this.registry],
  });

  readonly smtpConnections = new Gauge({
    name: 'smtp_connections',
    help: 'Open connections of SMTP submission',
    registers: [this.registry],
  });

  readonly smtpConnectionsRefused = new Counter({
    name: 'smtp_connections_refused_total',
    help: 'Connections of SMTP submission above the limit of the process or of an address',
    registers: [this.registry],
  });

  readonly smtpAuthentications = new Counter({
    name: 'smtp_authentications_total',
    help: 'Authentications of SMTP submission by outcome (accepted, refused, throttled, failed)',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });

  /** Durations in seconds. */
  readonly smtpTransactions = new Histogram({
    name: 'smtp_transaction_duration_seconds',
    help: 'Mails submitted by SMTP, from DATA to the reply, by the code of the reply',
    labelNames: ['code'] as const,
    buckets: SECONDS,
    registers: [this.registry],
  });

  constructor(database: Database, queue: BullJobQueue, inFlight: RequestsInFlight, { processes }: Config) {
    collectDefaultMetrics({ register: this.registry });
    if (processes > 1) this.group = new GroupScrape(() => this.registry.getMetricsAsJSON());
    this.installationGauge('queue_depth', 'Unfinished jobs by queue', ['queue'], async (gauge) => {
      for (const [name, depth] of Object.entries(await queue.depths())) gauge.set({ queue: name }, depth);
    });
    this.gauge('http_requests_in_flight', 'Requests in progress, and their limit', ['state'], (gauge) => {
      gauge.set({ state: 'open' }, inFlight.count);
      gauge.set({ state: 'limit' }, inFlight.limit);
    });
    this.gauge('database_pool_connections', 'Connections to PostgreSQL by state', ['state'], (gauge) => {
      const { totalCount, idleCount, waitingCount } = database.pool;
      gauge.set({ state: 'busy' }, totalCount - idleCount);
      gauge.set({ state: 'idle' }, idleCount);
      gauge.set({ state: 'waited_for' }, waitingCount);
    });
    if (database.replica) this.observeReplica(database.replica);
  }

  /** Stops the observation of garbage collection by prom-client, which would keep the registry in memory forever. */
  onApplicationShutdown(): void {
    this.group?.stop();
    this.registry.clear();
  }

  /** Returns the metrics in the text format of Prometheus. */
  async text(): Promise<string> {
    const ofProcesses = this.group?.text() ?? this.registry.metrics();
    return (await Promise.all([ofProcesses, this.installation.metrics()])).join('\n');
  }

  /** A gauge of something that all processes share. A scrape reads it once, in one process. */
  installationGauge<L extends string>(name: string, help: string, labelNames: L[], read: Read<L>): void {
    this.addGauge(this.installation, name, help, labelNames, read);
  }

  /** A gauge of this process. With several processes, the sum is reported. */
  private gauge<L extends string>(name: string, help: string, labelNames: L[], read: Read<L>): void {
    this.addGauge(this.registry, name, help, labelNames, read);
  }

  /** A gauge that cannot be read is left out of the scrape. */
  private addGauge<L extends string>(
    register: Registry,
    name: string,
    help: string,
    labelNames: L[],
    read: Read<L>,
  ): void {
    new Gauge<L>({
      name,
      help,
      labelNames,
      registers: [register],
      async collect() {
        this.reset();
        await Promise.resolve(read(this)).catch(() => undefined);
      },
    });
  }

  private observeReplica(replica: ReadReplica): void {
    this.gauge('database_replica_lag_bytes', 'Write-ahead log that the replica has not replayed', [], async (gauge) => {
      gauge.set(await replica.lagBytes());
    });
    new Counter({
      name: 'database_replica_reads_total',
      help: 'Reads run by the replica, and those left to the primary (behind, failed, unavailable)',
      labelNames: ['outcome'] as const,
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [outcome, reads] of Object.entries(replica.reads)) this.inc({ outcome }, reads);
      },
    });
  }
}
