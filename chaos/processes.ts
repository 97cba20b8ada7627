import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { Batcher } from '../src/concurrency/batcher.js';
import { freePort } from '../test/support/redis.js';
import { findSocketOwners } from './socket-owner.js';
import type { Teardown } from './teardown.js';

/** The program of the service in this directory. */
export const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const SHIFT_CLOCK = new URL('../../test/support/shift-clock.mjs', import.meta.url).href;
/** Ends the processes of the service with this one, even if this one is killed and cannot clean up. */
const END_WITH_PARENT = `data:text/javascript,process.stdin.on('end',()=>process.kill(process.pid,'SIGKILL')).resume().unref()`;
const SAMPLE_EVERY_MS = 500;
const HEALTH_TIMEOUT_MS = 5_000;
const RESTART_AFTER_MS = 500;

export type ProcessName = `${'api' | 'worker'} ${1 | 2}`;

export interface Memory {
  name: string;
  /** The maximum of all processes with this name, and the last value. */
  mostMb: number;
  lastMb: number;
  starts: number;
}

/** The end of a process that was not killed. */
export interface Exit {
  name: string;
  from: number;
  to: number;
}

interface Supervised {
  name: ProcessName;
  url: string;
  main: string;
  variables: Record<string, string>;
  memory: Memory;
  child?: ChildProcess;
  isStopping?: boolean;
}

/** Which program the processes run, and how many there are of each role. */
export interface Service {
  main: string;
  perRole: 1 | 2;
}

const NO_FAULTS = { isRowFault: () => false, isTimedOut: () => false, isOutOfReach: () => false };

/** Supervises the processes of the service. */
export class Processes {
  readonly apiUrls: string[] = [];
  readonly exits: Exit[] = [];
  private readonly supervised = new Map<ProcessName, Supervised>();
  /** One look at the sockets for all connections that are opened meanwhile. */
  private readonly workers = new Batcher((ports: number[]) => this.workersAt(ports), { faults: NO_FAULTS });

  private constructor(
    private readonly variables: Record<string, string>,
    private readonly logDir: string,
    private readonly teardown: Teardown,
  ) {}

  static async start(
    { main, perRole }: Service,
    variables: Record<string, string>,
    logDir: string,
    teardown: Teardown,
  ): Promise<Processes> {
    const processes = new Processes(variables, logDir, teardown);
    teardown.add(() => processes.stopAll());
    const numbers = ([1, 2] as const).slice(0, perRole);
    await processes.launch(
      numbers.flatMap((number) => [`api ${number}`, `worker ${number}`] as const),
      main,
    );
    const sampling = setInterval(() => void processes.sample(), SAMPLE_EVERY_MS);
    teardown.add(() => {
      clearInterval(sampling);
      return undefined;
    });
    return processes;
  }

  /** Starts further processes, and waits until they are ready. */
  async launch(names: readonly ProcessName[], main: string): Promise<void> {
    for (const name of names) await this.add(name, main);
    await Promise.all(names.map((name) => this.spawn(name)));
    for (const name of names) {
      if (!(await this.untilReady(name)) || this.exits.length > 0) throw new Error(`${name} is not ready`);
    }
  }

  /** Sends SIGTERM, and waits until the process has ended. It is not restarted. */
  async stop(name: ProcessName): Promise<void> {
    const supervised = this.get(name);
    const { child } = supervised;
    if (!child || hasEnded(child)) return;
    supervised.isStopping = true;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }

  /** Sends SIGKILL. Returns false if the process had ended already. */
  async kill(name: ProcessName): Promise<boolean> {
    const { child } = this.get(name);
    if (!child || hasEnded(child)) return false;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    return true;
  }

  /** `clockShiftMs` sets its clock ahead. */
  async spawn(name: ProcessName, clockShiftMs = 0): Promise<void> {
    const supervised = this.get(name);
    const log = await open(join(this.logDir, `${name.replace(' ', '-')}.log`), 'a');
    const shift = { NODE_OPTIONS: `--import ${SHIFT_CLOCK}`, CLOCK_SHIFT_MS: String(clockShiftMs) };
    try {
      if (this.teardown.hasBegun) return;
      const child = spawn(process.execPath, ['--import', END_WITH_PARENT, supervised.main], {
        cwd: this.logDir,
        env: { PATH: process.env.PATH, ...supervised.variables, ...(clockShiftMs === 0 ? {} : shift) },
        stdio: ['pipe', log.fd, log.fd],
      });
      supervised.child = child;
      supervised.memory.starts += 1;
      this.watch(supervised, child);
    } finally {
      await log.close();
    }
  }

  /** Sends SIGSTOP: the process halts, like on a machine that is swapping or a virtual one that is migrated. */
  suspend(name: ProcessName): void {
    this.get(name).child?.kill('SIGSTOP');
  }

  resume(name: ProcessName): void {
    this.get(name).child?.kill('SIGCONT');
  }

  /** The worker that uses this local port; null if unknown. */
  workerAt(port: number): Promise<ProcessName | null> {
    return this.workers.add(port);
  }

  memory(): Memory[] {
    return [...this.supervised.values()].map(({ memory }) => memory);
  }

  /** As long as the service itself tries to start. Returns false if it gives up, which ends the process. */
  async untilReady(name: ProcessName): Promise<boolean> {
    const { url } = this.get(name);
    const countExits = () => this.exits.filter((exit) => exit.name === name).length;
    const before = countExits();
    while (countExits() === before && !this.teardown.hasBegun) {
      const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) }).catch(
        () => null, // not listening yet
      );
      if (answer?.ok) return true;
      await pause(100);
    }
    return false;
  }

  private async workersAt(ports: readonly number[]): Promise<(ProcessName | null)[]> {
    const workers = [...this.supervised.values()].filter(({ name }) => name.startsWith('worker'));
    const names = new Map(workers.flatMap(({ name, child }) => (child?.pid === undefined ? [] : [[child.pid, name]])));
    const owners = await findSocketOwners(ports, [...names.keys()]);
    return owners.map((pid) => (pid === undefined ? null : (names.get(pid) ?? null)));
  }

  private async add(name: ProcessName, main: string): Promise<void> {
    const [role = ''] = name.split(' ');
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const variables = { ...this.variables, ROLE: role, HOST: '127.0.0.1', PORT: String(port) };
    const memory = { name, mostMb: 0, lastMb: 0, starts: 0 };
    this.supervised.set(name, { name, url, main, variables, memory });
    if (role === 'api') this.apiUrls.push(url);
  }

  private get(name: ProcessName): Supervised {
    const supervised = this.supervised.get(name);
    if (!supervised) throw new Error(`There is no ${name}`);
    return supervised;
  }

  /** Restarts a process that ends by itself. */
  private watch(supervised: Supervised, child: ChildProcess): void {
    const { name } = supervised;
    const from = Date.now();
    child.once('exit', (code, signal) => {
      if (signal === 'SIGKILL' || this.teardown.hasBegun) return;
      if (supervised.isStopping && code === 0) return;
      this.exits.push({ name, from, to: Date.now() });
      if (!supervised.isStopping) setTimeout(() => void this.spawn(name), RESTART_AFTER_MS);
    });
  }

  private async sample(): Promise<void> {
    for (const { child, memory } of this.supervised.values()) {
      const status = await readFile(`/proc/${child?.pid}/status`, 'utf8').catch(() => '');
      const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? NaN);
      if (Number.isNaN(kilobytes)) continue;
      memory.lastMb = kilobytes / 1_024;
      memory.mostMb = Math.max(memory.mostMb, memory.lastMb);
    }
  }

  private async stopAll(): Promise<void> {
    await Promise.all([...this.supervised.keys()].map((name) => this.kill(name)));
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;
