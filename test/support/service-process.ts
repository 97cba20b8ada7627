import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

import { freePort } from './redis.js';
import { PATIENT } from './patient.js';
import { waitFor } from './wait-for.js';

const DIST = new URL('../../dist/', import.meta.url);

/** Ends the process with the test process, even if that is killed and cannot clean up. */
const END_WITH_PARENT = `data:text/javascript,process.stdin.on('end',()=>process.kill(process.pid,'SIGKILL')).resume().unref()`;

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

const running = new Set<ServiceProcess>();

/** For afterEach or afterAll: kills the processes that a test left running. */
export async function killServiceProcesses(): Promise<void> {
  await Promise.all([...running].map((process) => process.kill('SIGKILL')));
}

/** A process of the built service. Its environment is `variables` and PATIENT, which they may override. */
export class ServiceProcess {
  /** Standard output and error, as they came. */
  printed = '';
  private ended: Exit | undefined;

  private constructor(private readonly child: ChildProcess) {
    running.add(this);
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (this.printed += String(chunk)));
    child.once('close', (code, signal) => {
      this.ended = { code, signal };
      running.delete(this);
    });
  }

  /** `node dist/<program>`. */
  static spawn(
    variables: Record<string, string>,
    { program = 'main.js', args = [] as string[], cwd = tmpdir() } = {},
  ): ServiceProcess {
    const file = fileURLToPath(new URL(program, DIST));
    if (!existsSync(file)) throw new Error(`${file} is missing: npm run build makes it`);
    const command = ['--import', END_WITH_PARENT, file, ...args];
    const env = { PATH: process.env.PATH, ...PATIENT, ...variables };
    return new ServiceProcess(spawn(process.execPath, command, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] }));
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Polls for the condition; fails at once if the process ends first. The error contains the output of the process. */
  async waitFor<T>(what: string, condition: () => Promise<T | undefined | false> | T | undefined | false): Promise<T> {
    const unlessEnded = () => {
      if (this.ended) throw new Error(`It ended with ${this.ended.signal ?? `code ${this.ended.code}`} before ${what}`);
      return condition();
    };
    return this.explain(waitFor(what, unlessEnded));
  }

  /** Waits until the output matches and returns the first match. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray> {
    return this.waitFor(String(pattern), () => pattern.exec(this.printed) ?? undefined);
  }

  /** Asks only once it says that it listens: refused requests every 20 ms would take CPU time from the start. */
  async waitUntilReady(url: string): Promise<void> {
    await this.waitForOutput(/^Listening on port /m);
    await this.waitFor(`${url} to be ready`, () =>
      fetch(`${url}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  }

  /** Sends the signal and waits for the end. */
  async kill(signal: NodeJS.Signals): Promise<Exit> {
    this.signal(signal);
    return this.waitForExit();
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  waitForExit(): Promise<Exit> {
    return this.explain(waitFor('the end of the process', () => this.ended));
  }

  private async explain<T>(waiting: Promise<T>): Promise<T> {
    try {
      return await waiting;
    } catch (error) {
      throw new Error(`${(error as Error).message}. The process printed:\n${this.printed}`, { cause: error });
    }
  }
}

/** A process that listens on a free port, once it is ready. */
export async function startListening(
  variables: Record<string, string>,
): Promise<{ process: ServiceProcess; url: string }> {
  const port = await freePort();
  const process = ServiceProcess.spawn({ HOST: '127.0.0.1', ...variables, PORT: String(port) });
  const url = `http://127.0.0.1:${port}`;
  await process.waitUntilReady(url);
  return { process, url };
}
