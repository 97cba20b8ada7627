import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { freePort } from '../test/support/redis.js';
import type { Teardown } from './teardown.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** Ends a process of the service with this one, also where this one is killed and can clean up nothing. */
const END_WITH_PARENT = `data:text/javascript,process.stdin.on('end',()=>process.kill(process.pid,'SIGKILL')).resume().unref()`;
const SAMPLE_EVERY_MS = 500;
const READY_WITHIN_MS = 90_000;
const START_AGAIN_AFTER_MS = 500;

export interface Memory {
  name: string;
  /** The most that any process of the name had, and what the last of them had last. */
  mostMb: number;
  lastMb: number;
  starts: number;
}

/** A process that ended without being killed. */
export interface Exit {
  name: string;
  from: number;
  to: number;
}

interface Member {
  name: string;
  variables: Record<string, string>;
  memory: Memory;
  child?: ChildProcess;
}

/** The processes of the service. */
export class Crew {
  readonly apiUrls: string[] = [];
  readonly exits: Exit[] = [];
  private readonly members = new Map<string, Member>();

  private constructor(
    private readonly logDir: string,
    private readonly teardown: Teardown,
  ) {}

  static async start(variables: Record<string, string>, logDir: string, teardown: Teardown): Promise<Crew> {
    const crew = new Crew(logDir, teardown);
    teardown.add(() => crew.stop());
    for (const number of [1, 2]) {
      const port = await freePort();
      crew.apiUrls.push(`http://127.0.0.1:${port}`);
      crew.add(`api ${number}`, { ...variables, ROLE: 'api', HOST: '127.0.0.1', PORT: String(port) });
      crew.add(`worker ${number}`, { ...variables, ROLE: 'worker' });
    }
    await Promise.all([...crew.members.keys()].map((name) => crew.spawn(name)));
    for (const url of crew.apiUrls) await crew.untilReady(url);
    const sampling = setInterval(() => void crew.sample(), SAMPLE_EVERY_MS);
    teardown.add(() => {
      clearInterval(sampling);
      return undefined;
    });
    return crew;
  }

  async kill(name: string): Promise<void> {
    const { child } = this.member(name);
    if (!child || hasEnded(child)) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async spawn(name: string): Promise<void> {
    const member = this.member(name);
    const log = await open(join(this.logDir, `${name.replace(' ', '-')}.log`), 'a');
    try {
      if (this.teardown.hasBegun) return;
      const child = spawn(process.execPath, ['--import', END_WITH_PARENT, MAIN], {
        cwd: this.logDir,
        env: { PATH: process.env.PATH, ...member.variables },
        stdio: ['pipe', log.fd, log.fd],
      });
      member.child = child;
      member.memory.starts += 1;
      this.watch(member, child);
    } finally {
      await log.close();
    }
  }

  memory(): Memory[] {
    return [...this.members.values()].map(({ memory }) => memory);
  }

  private add(name: string, variables: Record<string, string>): void {
    this.members.set(name, { name, variables, memory: { name, mostMb: 0, lastMb: 0, starts: 0 } });
  }

  private member(name: string): Member {
    const member = this.members.get(name);
    if (!member) throw new Error(`There is no ${name}`);
    return member;
  }

  private async untilReady(url: string): Promise<void> {
    const deadline = Date.now() + READY_WITHIN_MS;
    for (;;) {
      const answer = await fetch(`${url}/health/ready`).catch(() => null);
      if (answer?.ok) return;
      if (Date.now() > deadline || this.exits.length > 0) throw new Error(`${url} does not become ready`);
      await pause(100);
    }
  }

  /** Starts it again if it ends by itself, as a supervisor would. */
  private watch({ name }: Member, child: ChildProcess): void {
    const from = Date.now();
    child.once('exit', (_, signal) => {
      if (signal === 'SIGKILL' || this.teardown.hasBegun) return;
      this.exits.push({ name, from, to: Date.now() });
      setTimeout(() => void this.spawn(name), START_AGAIN_AFTER_MS);
    });
  }

  private async sample(): Promise<void> {
    for (const { child, memory } of this.members.values()) {
      const status = await readFile(`/proc/${child?.pid}/status`, 'utf8').catch(() => '');
      const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? NaN);
      if (Number.isNaN(kilobytes)) continue;
      memory.lastMb = kilobytes / 1_024;
      memory.mostMb = Math.max(memory.mostMb, memory.lastMb);
    }
  }

  private async stop(): Promise<void> {
    await Promise.all([...this.members.keys()].map((name) => this.kill(name)));
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;
