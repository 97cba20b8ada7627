import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

import { freePort } from './redis.js';
import { waitFor } from './wait-for.js';

const DIST = new URL('../../dist/', import.meta.url);

/** Ends the process with the test process, also where that is killed and can clean up nothing. */
const END_WITH_PARENT = `data:text/javascript,process.stdin.on('end',()=>process.kill(process.pid,'SIGKILL')).resume().unref()`;

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

const running = new Set<ServiceProcess>();

/** For afterEach or afterAll: whatever a test has left running. */
export async function killServiceProcesses(): Promise<void> {
  await Promise.all([...running].map((process) => process.kill('SIGKILL')));
}

/** A process of the built service. Its environment is `variables` and nothing else. */
export class ServiceProcess {
  /** Standard output and error, as they came. */
  printed = '';
  private readonly exit: Promise<Exit>;

  private constructor(private readonly child: ChildProcess) {
    running.add(this);
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (this.printed += String(chunk)));
    this.exit = once(child, 'close').then(([code, signal]) => {
      running.delete(this);
      return { code, signal };
    });
  }

  /** `node dist/<program>`. */
  static spawn(
    variables: Record<string, string>,
    { program = 'main.js', args = [] as string[], cwd = tmpdir() } = {},
  ): ServiceProcess {
    const command = ['--import', END_WITH_PARENT, fileURLToPath(new URL(program, DIST)), ...args];
    const env = { PATH: process.env.PATH, ...variables };
    return new ServiceProcess(spawn(process.execPath, command, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] }));
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Polls for the condition; fails at once with all that was printed if the process ends before. */
  async waitFor<T>(
    what: string,
    condition: () => Promise<T | undefined | false> | T | undefined | false,
    timeoutMs = 30_000,
  ): Promise<T> {
    const ended = this.exit.then(({ code, signal }) => {
      throw new Error(`It ended with ${signal ?? `code ${code}`} while a test waited for ${what}:\n${this.printed}`);
    });
    const met = waitFor(what, condition, timeoutMs).catch((error: unknown) => {
      throw new Error(`${(error as Error).message}. The process printed:\n${this.printed}`);
    });
    return Promise.race([met, ended]);
  }

  /** The first match in what it printed or is yet to print. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray> {
    return this.waitFor(String(pattern), () => pattern.exec(this.printed) ?? undefined);
  }

  async waitUntilReady(url: string): Promise<void> {
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

  async waitForExit(timeoutMs = 30_000): Promise<Exit> {
    let exit: Exit | undefined;
    void this.exit.then((ended) => (exit = ended));
    return waitFor(`the end of the process, which printed:\n${this.printed}`, () => exit, timeoutMs);
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
