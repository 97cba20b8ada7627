import { setTimeout as pause } from 'node:timers/promises';

import type { Environment } from './environment.js';
import type { Disruption, Disturbances } from './evidence/evidence.js';
import type { Span } from './evidence/spans.js';
import type { Load } from './load.js';
import { type Fault, isLong, type Step } from './plan.js';
import { ProcessFaults } from './process-faults.js';
import type { AwsAnswer } from './providers/aws.js';
import type { RelayAnswer } from './providers/relay.js';
import type { Teardown } from './teardown.js';

/** SQLSTATE of a lock timeout. */
const LOCK_NOT_AVAILABLE = '55P03';
const CONCURRENT_READS = 40;
/** Longer than a lease: each seems to have expired, or lasts more than twice as long. */
const CLOCK_STEP_SECONDS = 40;

const THROTTLED = {
  status: 429,
  error: { ses: 'TooManyRequestsException', sns: 'Throttled' },
  message: 'Maximum sending rate exceeded.',
};
const INTERNAL_FAILURE = {
  status: 500,
  error: { ses: 'InternalFailure', sns: 'InternalError' },
  message: 'Try again',
};
const UNAVAILABLE = { code: 421, message: '4.3.2 Service not available' };

/** Runs the plan, and records outages of PostgreSQL and AWS, locks, and losses of workers and connections. */
export class Faults implements Disturbances {
  readonly outages: Span[] = [];
  readonly locks: Span[] = [];
  readonly awsOutages: Span[] = [];
  readonly disruptions: Disruption[] = [];
  readonly processLosses: Span[] = [];
  /** Fault → number of times it was started. */
  readonly counts = new Map<Fault, number>();
  /** Kind of process → number of kills. */
  readonly kills = new Map<string, number>();
  private readonly processFaults: ProcessFaults;
  private clockShiftSeconds = 0;

  constructor(
    private readonly environment: Environment,
    private readonly load: Load,
    private readonly teardown: Teardown,
  ) {
    this.processFaults = new ProcessFaults(environment, this.disruptions, this.processLosses, (kind) => {
      this.countKill(kind);
    });
  }

  /** Runs brief faults one after the other, each at its time or after the previous one, and long ones concurrently. */
  async run(plan: Iterable<Step>, isOver: () => boolean, announce: (step: Step) => void): Promise<void> {
    const start = performance.now();
    const long: Promise<void>[] = [];
    for (const step of plan) {
      while (performance.now() < start + step.atMs && !isOver()) await pause(POLL_MS);
      if (this.teardown.hasBegun || isOver()) break;
      announce(step);
      this.counts.set(step.fault, (this.counts.get(step.fault) ?? 0) + 1);
      const fault = this.faults[step.fault](step);
      if (isLong(step)) long.push(fault);
      else await fault;
    }
    await Promise.all(long);
  }

  private readonly faults: Record<Fault, (step: Step) => Promise<void>> = {
    'skew-worker': (step) => this.processFaults.skewWorker(step),
    'stop-worker': (step) => this.processFaults.stopWorker(step),
    'stop-api': (step) => this.processFaults.stop(step),
    'kill-worker': (step) => this.processFaults.killWorker(step),
    'kill-api': (step) => this.processFaults.killApi(step),
    'kill-postgres': ({ forMs }) => this.killPostgres(forMs),
    'kill-redis': ({ forMs }) => this.killRedis(forMs),
    'relay-421': ({ forMs }) => this.answerAsRelay((phase) => (phase === 'mail' ? UNAVAILABLE : undefined), forMs),
    'relay-hang': ({ forMs }) => {
      const hang = hangFor(forMs);
      return this.answerAsRelay((phase) => (phase === 'data' ? hang() : undefined), forMs);
    },
    'relay-cut': ({ forMs }) => this.cutOff(this.environment.relay, forMs),
    'aws-429': ({ forMs }) => this.answerAsAws(() => THROTTLED, forMs),
    'aws-500': ({ forMs }) => this.answerAsAws(() => INTERNAL_FAILURE, forMs),
    'aws-hang': ({ forMs }) => this.answerAsAws(hangFor(forMs), forMs),
    'aws-cut': ({ forMs }) => this.cutOff(this.environment.aws, forMs),
    'receiver-503': async ({ forMs }) => {
      this.environment.receiver.status = 503;
      await pause(forMs);
      this.environment.receiver.status = 200;
    },
    'cut-clients': () => {
      this.environment.clients.cutAll();
      return Promise.resolve();
    },
    'cut-database': async () => {
      const from = Date.now();
      await this.environment.database.cutConnections();
      this.outages.push({ from, to: Date.now() });
    },
    'cut-redis': async () => {
      await this.environment.redis?.cutConnections();
    },
    'clock-forward': () => this.stepClock(CLOCK_STEP_SECONDS),
    'clock-back': () => this.stepClock(-CLOCK_STEP_SECONDS),
    'fill-pool': ({ forMs }) => this.fillPool(forMs),
  };

  private async killPostgres(forMs: number): Promise<void> {
    const outage = { from: Date.now(), to: Infinity };
    this.outages.push(outage);
    await this.environment.database.kill();
    this.countKill('postgres');
    await pause(forMs);
    await this.environment.database.restart();
    outage.to = Date.now();
  }

  private async killRedis(forMs: number): Promise<void> {
    await this.environment.redis?.kill();
    this.countKill('redis');
    await pause(forMs);
    await this.environment.redis?.restart();
  }

  /** Both steps of a round cancel each other out. */
  private async stepClock(seconds: number): Promise<void> {
    this.clockShiftSeconds += seconds;
    await this.environment.database.setClockShift(this.clockShiftSeconds);
  }

  private async answerAsRelay(answer: Environment['relay']['answer'], forMs: number): Promise<void> {
    this.environment.relay.answer = answer;
    await pause(forMs);
    this.environment.relay.answer = () => undefined;
  }

  private async answerAsAws(answer: () => AwsAnswer | Promise<AwsAnswer>, forMs: number): Promise<void> {
    const outage = { from: Date.now(), to: Infinity };
    this.awsOutages.push(outage);
    this.environment.aws.answer = answer;
    await pause(forMs);
    this.environment.aws.answer = () => undefined;
    outage.to = Date.now();
  }

  private async cutOff(provider: Environment['relay'] | Environment['aws'], forMs: number): Promise<void> {
    const now = Date.now();
    this.disruptions.push({ kind: 'connections_cut', process: null, from: now, to: now });
    const outage = { from: now, to: Infinity };
    if (provider === this.environment.aws) this.awsOutages.push(outage);
    provider.goOffline();
    await pause(forMs);
    provider.goOnline();
    outage.to = Date.now();
  }

  /**
   * All connections of the service wait for a lock, and more calls than there are connections. While a stopped process
   * has an open transaction, the lock is not granted, and the calls wait for the lock timeout.
   */
  private async fillPool(forMs: number): Promise<void> {
    const client = await this.environment.database.pool.connect();
    const lock = { from: Date.now(), to: Infinity };
    this.locks.push(lock);
    try {
      await client.query(`BEGIN; SET LOCAL lock_timeout = '3s'; LOCK TABLE message_logs IN ACCESS EXCLUSIVE MODE`);
      const reads = this.load.readConcurrently(CONCURRENT_READS);
      await pause(forMs);
      await client.query('ROLLBACK');
      lock.to = Date.now();
      await reads;
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
    } finally {
      lock.to = Math.min(lock.to, Date.now());
      client.release(true);
    }
  }

  private countKill(kind: string): void {
    this.kills.set(kind, (this.kills.get(kind) ?? 0) + 1);
  }
}

const POLL_MS = 50;

/** Hangs until the end of the fault. Then the message is accepted, but every second response is lost. */
function hangFor(forMs: number): () => Promise<Extract<RelayAnswer & AwsAnswer, string | undefined>> {
  const over = pause(forMs);
  let count = 0;
  return async () => {
    const isLost = count++ % 2 === 1;
    await over;
    return isLost ? 'drop' : undefined;
  };
}
