import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface ProxyRequest {
  /** Where connections go from now on; null: nowhere. */
  target?: number | null;
  /** Ends the connections that stand. */
  cut?: boolean;
}

const PROGRAM = fileURLToPath(new URL('programs/tcp-proxy.js', import.meta.url));

/**
 * A fixed address for a server that comes and goes. In a process of its own: everything that the service stores goes
 * through it.
 */
export class ProxyProcess {
  private last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  static async start(): Promise<ProxyProcess> {
    const child = fork(PROGRAM, { env: { PATH: process.env.PATH }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    return new ProxyProcess(child, port);
  }

  /** Resolves when it is done. One after the other, so that each gets its own answer. */
  request(request: ProxyRequest): Promise<unknown> {
    this.last = this.last.then(() => {
      const done = once(this.child, 'message');
      this.child.send(request);
      return done;
    });
    return this.last;
  }

  stop(): void {
    this.child.kill('SIGKILL');
  }
}
