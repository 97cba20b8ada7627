import { setTimeout as pause } from 'node:timers/promises';

import type { Environment } from './environment.js';
import type { Disruption } from './evidence/evidence.js';
import type { Span } from './evidence/spans.js';
import type { Step } from './plan.js';
import type { ProcessName } from './processes.js';

const HOLD_RESPONSES_MS = 1_000;
const KILL_BEFORE_MS = 100;
const POLL_MS = 100;
const CLOCK_AHEAD_MS = 60_000;
/** While the clock of a worker is ahead, and before one is stopped, so that workers have many claims. */
const SLOW_RESPONSES_MS = 2_000;

/** Kills and stops processes of the service, and sets the clock of a worker ahead. */
export class ProcessFaults {
  /** Stopped, or with a clock that is ahead. */
  private readonly occupied = new Set<ProcessName>();

  constructor(
    private readonly environment: Environment,
    private readonly disruptions: Disruption[],
    /** When processes were killed, or stopped. */
    private readonly losses: Span[],
    private readonly countKill: (kind: string) => void,
  ) {}

  async killApi({ process, forMs }: Step): Promise<void> {
    const name = this.unoccupied(process);
    await this.kill(name);
    await pause(forMs);
    await this.environment.processes.spawn(name);
  }

  /** Kills a worker while it waits for responses of providers that have accepted its messages. */
  async killWorker({ process, forMs }: Step): Promise<void> {
    const release = await this.holdResponses();
    const name = this.unoccupied(process);
    await this.kill(name);
    await pause(forMs);
    await this.environment.processes.spawn(name);
    release();
  }

  /**
   * Stops a worker while the providers are slow, so that it has claims that it has not submitted. When it continues,
   * their leases have expired.
   */
  async stopWorker(step: Step): Promise<void> {
    if (step.process === null) return;
    while ([...this.occupied].some((name) => name.startsWith('worker'))) await pause(POLL_MS);
    await this.environment.processes.untilReady(step.process);
    this.slowDown(SLOW_RESPONSES_MS);
    await pause(SLOW_RESPONSES_MS);
    // What a provider receives meanwhile was on its way before.
    const disruption: Disruption = { kind: 'worker_stopped', process: step.process, from: Date.now(), to: Infinity };
    this.disruptions.push(disruption);
    const stopped = this.stop(step);
    this.slowDown(0);
    await stopped;
    disruption.to = Date.now();
  }

  async stop({ process, forMs }: Step): Promise<void> {
    if (process === null) return;
    this.occupied.add(process);
    const loss = { from: Date.now(), to: Infinity };
    this.losses.push(loss);
    this.environment.processes.suspend(process);
    await pause(forMs);
    this.environment.processes.resume(process);
    loss.to = Date.now();
    this.occupied.delete(process);
  }

  async skewWorker({ process, forMs }: Step): Promise<void> {
    if (process === null) return;
    const { processes } = this.environment;
    this.occupied.add(process);
    await this.kill(process);
    await processes.spawn(process, CLOCK_AHEAD_MS);
    await processes.untilReady(process);
    this.slowDown(SLOW_RESPONSES_MS);
    await pause(forMs);
    this.slowDown(0);
    await this.kill(process);
    await processes.spawn(process);
    this.occupied.delete(process);
  }

  private slowDown(answerAfterMs: number): void {
    this.environment.relay.delayMs = answerAfterMs;
    this.environment.aws.delayMs = answerAfterMs;
  }

  private async kill(name: ProcessName): Promise<void> {
    const [kind = ''] = name.split(' ');
    const from = Date.now();
    if (!(await this.environment.processes.kill(name))) return;
    this.countKill(kind);
    this.losses.push({ from, to: Date.now() });
    if (kind === 'worker') this.disruptions.push({ kind: 'worker_killed', process: name, from, to: Date.now() });
  }

  /**
   * The planned process, or the other one of its role if an earlier fault took longer than planned and still occupies
   * it.
   */
  private unoccupied(process: ProcessName | null): ProcessName {
    const name = process ?? 'worker 1';
    const twin = (name.endsWith('1') ? name.replace('1', '2') : name.replace('2', '1')) as ProcessName;
    return this.occupied.has(name) ? twin : name;
  }

  /** Makes the providers hold their responses, and resolves shortly before they are sent. */
  private async holdResponses(): Promise<() => void> {
    const { relay, aws } = this.environment;
    const held = pause(HOLD_RESPONSES_MS, undefined);
    const [ofRelay, ofAws] = [(phase: 'mail' | 'data') => (phase === 'data' ? held : undefined), () => held];
    relay.answer = ofRelay;
    aws.answer = ofAws;
    await pause(HOLD_RESPONSES_MS - KILL_BEFORE_MS);
    return () => {
      if (relay.answer === ofRelay) relay.answer = () => undefined;
      if (aws.answer === ofAws) aws.answer = () => undefined;
    };
  }
}
