import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';

import type { Config } from '../../config/config.js';
import { reachDatabase } from '../database/reach-database.js';
import type { Log } from '../logging/log.js';
import { allowedConnections, poolSizeWithin } from './connection-limit.js';
import type { ToMember, ToPrimary } from './group-messages.js';
import { GroupMetrics } from './group-metrics.js';

/** A process that ends before this time is replaced after a pause. */
const STABLE_AFTER_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
/** The time in which processes must send their metrics; the last ones are used for a process that does not. */
const METRICS_TIMEOUT_MS = 2_000;

/** The processes of a service with PROCESSES above 1, seen from the primary, which serves no requests itself. */
export class ProcessGroup {
  private readonly closing = new AbortController();
  private readonly ready = new Set<Worker>();
  private readonly reasons = new Map<Worker, string>();
  private readonly metrics = new GroupMetrics();
  private supervised: Promise<void>[] = [];
  private collecting: { waitingFor: Set<Worker>; scrapedBy: Set<Worker>; timer: NodeJS.Timeout } | null = null;

  private constructor(
    private readonly variables: Record<string, string>,
    private readonly log: Log,
  ) {
    cluster.on('message', (member: Worker, message: ToPrimary) => {
      this.receive(member, message);
    });
    process.on('exit', () => {
      for (const member of members()) member.process.kill('SIGKILL');
    });
  }

  /**
   * Resolves when the first process is ready, and starts the others then: the first one migrates the database. Throws
   * the error of that process if it does not start.
   */
  static async start(config: Config, log: Log, program: string): Promise<ProcessGroup> {
    const warn = (msg: string) => {
      log.warn({ context: CONTEXT, msg });
    };
    const allowed = await reachDatabase(config, warn, () => allowedConnections(config.databaseUrl));
    const poolSize = poolSizeWithin(allowed, config);
    if (poolSize < config.databasePoolSize)
      warn(`PostgreSQL allows ${allowed} connections: pools of ${poolSize} per process`);
    cluster.setupPrimary({ exec: program });
    const group = new ProcessGroup(
      {
        DATABASE_URL: config.databaseUrl,
        DATABASE_POOL_SIZE: String(poolSize),
        APP_SECRET: config.appSecret,
        // They inherit the other variables, and both would be refused.
        DATABASE_URL_FILE: '',
        APP_SECRET_FILE: '',
        PROCESSES: String(config.processes),
      },
      log,
    );
    const first = group.fork();
    await group.untilReady(first);
    const others = Array.from({ length: config.processes - 1 }, () => group.fork());
    group.supervised = [first, ...others].map((member) => group.supervise(member));
    return group;
  }

  /** Stops all processes gracefully. The caller limits the time: processes that still run when it exits are killed. */
  async close(): Promise<void> {
    this.closing.abort();
    for (const member of members()) member.process.kill('SIGTERM');
    // All of them: the others still finish their work when one fails.
    const ends = await Promise.allSettled(this.supervised);
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private fork(): Worker {
    const member = cluster.fork(this.variables);
    member.on('error', (error) => {
      this.log.warn({ context: CONTEXT, msg: `Process ${pidOf(member)}: ${error.message}` });
    });
    member.once('exit', () => {
      this.ready.delete(member);
      this.metrics.retire(member.id);
      this.collected(member);
    });
    return member;
  }

  private async untilReady(member: Worker): Promise<void> {
    const ready = new Promise<null>((resolve) => {
      member.on('message', ({ kind }: ToPrimary) => {
        if (kind === 'ready') resolve(null);
      });
    });
    const end = await Promise.race([ready, endOf(member)]);
    if (end !== null)
      throw new Error(this.reasons.get(member) ?? `Process ${pidOf(member)} ended with ${end} at its start`);
  }

  /** Replaces the process whenever it has ended, until the group is closed. */
  private async supervise(member: Worker): Promise<void> {
    for (let current = member, pauseMs = 0; ; current = this.fork()) {
      const startedAt = performance.now();
      const end = await endOf(current);
      const reason = this.reasons.get(current);
      this.reasons.delete(current);
      const what = `Process ${pidOf(current)} ended with ${end}${reason === undefined ? '' : `: ${reason}`}`;
      if (this.isClosing()) {
        if (!GRACEFUL.includes(end)) throw new Error(what);
        return;
      }
      const wasStable = performance.now() - startedAt > STABLE_AFTER_MS;
      pauseMs = wasStable ? 0 : Math.min(MAX_PAUSE_MS, pauseMs * 2 || FIRST_PAUSE_MS);
      this.log.error({ context: CONTEXT, msg: `${what}; starting another one in ${pauseMs / 1_000} s` });
      await pause(pauseMs, undefined, { signal: this.closing.signal }).catch(() => undefined);
      if (this.isClosing()) return;
    }
  }

  private isClosing(): boolean {
    return this.closing.signal.aborted;
  }

  private receive(member: Worker, message: ToPrimary): void {
    switch (message.kind) {
      case 'ready':
        this.ready.add(member);
        this.log.info({ context: CONTEXT, msg: `Process ${pidOf(member)} is ready` });
        break;
      case 'failed':
        this.reasons.set(member, message.reason);
        break;
      case 'scrape':
        this.collectFor(member);
        break;
      case 'metrics':
        if (!member.isDead()) this.metrics.record(member.id, message.metrics); // otherwise they are retired already
        this.collected(member);
    }
  }

  /** Reads the metrics of all processes, once for all scrapes that come meanwhile. */
  private collectFor(member: Worker): void {
    if (this.collecting) {
      this.collecting.scrapedBy.add(member);
      return;
    }
    const timer = setTimeout(() => {
      this.answerScrapes();
    }, METRICS_TIMEOUT_MS);
    this.collecting = { waitingFor: new Set([...this.ready, member]), scrapedBy: new Set([member]), timer };
    for (const each of this.collecting.waitingFor) send(each, { kind: 'read-metrics' });
  }

  private collected(member: Worker): void {
    if (this.collecting?.waitingFor.delete(member) && this.collecting.waitingFor.size === 0) this.answerScrapes();
  }

  private answerScrapes(): void {
    if (!this.collecting) return;
    const { scrapedBy, timer } = this.collecting;
    clearTimeout(timer);
    this.collecting = null;
    void this.readText().then((text) => {
      for (const member of scrapedBy) send(member, { kind: 'scraped', text });
    });
  }

  private async readText(): Promise<string> {
    try {
      return await this.metrics.text();
    } catch (error) {
      this.log.error({ context: CONTEXT, msg: `Metrics: ${(error as Error).message}` });
      return '';
    }
  }
}

const CONTEXT = 'ProcessGroup';
/** Ends that are not failures. SIGTERM and SIGINT end a process that is not ready yet. */
const GRACEFUL: readonly string[] = ['code 0', 'SIGTERM', 'SIGINT'];

const members = (): Worker[] => Object.values(cluster.workers ?? {}).filter((member) => member !== undefined);
const pidOf = ({ process }: Worker): string => String(process.pid);

/** Resolves, once all messages of the process have arrived, to the signal that ended it, its exit code or an error. */
const endOf = (member: Worker): Promise<string> =>
  new Promise((resolve) => {
    member.once('exit', (code, signal: string | null) => {
      const resolveNow = () => {
        resolve(signal ?? `code ${code}`);
      };
      if (member.isConnected()) member.once('disconnect', resolveNow);
      else resolveNow();
    });
    member.on('error', ({ message }) => {
      if (member.process.pid === undefined) resolve(message);
    });
  });

function send(member: Worker, message: ToMember): void {
  if (member.isConnected()) member.send(message);
}
