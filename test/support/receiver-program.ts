import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

import { waitFor } from './wait-for.js';

/** A receiver of webhooks that somebody else wrote: it listens on PORT and has the secret in WEBHOOK_SECRET. */
export class ReceiverProgram {
  /** Standard output and error. */
  printed = '';

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (this.printed += String(chunk)));
  }

  static async start([command, ...args]: string[], port: number, secret: string): Promise<ReceiverProgram> {
    const env = { PATH: process.env.PATH, PORT: String(port), WEBHOOK_SECRET: secret };
    const child = spawn(command!, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const program = new ReceiverProgram(child, `http://127.0.0.1:${port}/`);
    await waitFor(`the receiver to listen. It printed: ${program.printed}`, () =>
      fetch(program.url, { method: 'POST' }).then(
        () => true,
        () => false,
      ),
    );
    return program;
  }

  async post(headers: Record<string, string>, body: string): Promise<number> {
    return (await fetch(this.url, { method: 'POST', headers, body })).status;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
  }
}
