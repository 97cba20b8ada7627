import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface ProxyRequest {
  /** The port for new connections; null refuses them. */
  target?: number | null;
  /** Closes the open connections. */
  cut?: boolean;
}

const PROGRAM = fileURLToPath(new URL('programs/tcp-proxy.js', import.meta.url));

/**
 * A fixed address for a server that is restarted on other ports. A separate process, because everything that the
 * service stores passes through it.
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

  /** Resolves when done. Requests run one after the other, so that each gets its own response. */
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
