import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { expect } from '@jest/globals';

import { run } from '../../packages/sdk/src/cli/run.js';
import type { TestAccount } from './account.js';
import { TestService } from './service.js';

interface Surroundings {
  stdin?: string;
  env?: Record<string, string | undefined>;
  signal?: AbortSignal;
}

/** The command line, with the key of an account of a service of this process. */
export class CommandLine {
  static readonly SENDER = 'shop@example.com';
  account!: TestAccount;
  secret!: string;

  private constructor(
    readonly service: TestService,
    private readonly directory: string,
  ) {}

  static async start(): Promise<CommandLine> {
    const service = await TestService.shared();
    return new CommandLine(service, await mkdtemp(join(tmpdir(), 'command-line-')));
  }

  async stop(): Promise<void> {
    await rm(this.directory, { recursive: true });
    await this.service.stop();
  }

  /** An account of its own for the next test, with a verified sender and a key with all scopes. */
  async openAccount(): Promise<void> {
    this.account = await this.service.createAccount();
    await this.account.verifySender(CommandLine.SENDER);
    ({ secret: this.secret } = await this.account.createKey());
  }

  /** Starts a command line that may go on: what it prints grows. */
  start(args: string[], { stdin = '', env = {}, signal = new AbortController().signal }: Surroundings = {}) {
    const printed = { stdout: '', stderr: '' };
    const code = run(args, {
      env: { DELIVERY_API_KEY: this.secret, DELIVERY_BASE_URL: this.service.url, ...env },
      stdin: Readable.from([Buffer.from(stdin)]),
      stdout: (text) => (printed.stdout += text),
      stderr: (text) => (printed.stderr += text),
      isTerminal: false,
      signal,
    });
    return { code, printed };
  }

  /** Runs it to its end: its exit code and what it printed, in which the key never is. */
  async run(args: string[], surroundings?: Surroundings) {
    const { code, printed } = this.start(args, surroundings);
    const result = { code: await code, ...printed };
    expect(JSON.stringify(result)).not.toContain(this.secret);
    return result;
  }

  async file(name: string, content: string): Promise<string> {
    await writeFile(join(this.directory, name), content);
    return join(this.directory, name);
  }

  async read(path: string): Promise<{ items: never[] }> {
    const { body } = await this.service.request('get', path).set('X-API-Key', this.secret).expect(200);
    return body as { items: never[] };
  }

  /** By address. */
  async contacts() {
    const { items } = (await this.read('/api/contacts?limit=100')) as { items: Record<string, unknown>[] };
    return items
      .map(({ email, firstName, lastName, tags, status }) => ({ email, firstName, lastName, tags, status }))
      .sort((a, b) => (String(a.email) < String(b.email) ? -1 : 1));
  }
}
