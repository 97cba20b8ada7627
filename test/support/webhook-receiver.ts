import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { waitFor } from './wait-for.js';
import type {
  ReceivedPost,
  ReceivedPosts,
  ReceiverAnswer,
  ReceiverConnections,
  ReceiverRequest,
  ReceiverSecrets,
} from './webhook-receiver-script.js';
import type { ReceiverOptions } from './webhook-receiver-server.js';

const PROGRAM = fileURLToPath(new URL('./webhook-receiver-process.mjs', import.meta.url));

/** The system of an account that takes webhooks, in a process of its own: behaves as a test tells it, keeps what came. */
export class WebhookReceiver {
  private readonly replies = new Map<number, (value: unknown) => void>();
  private asked = 0;

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
    private readonly scheme: 'http' | 'https',
  ) {
    child.on('message', ({ id, value }: { id: number; value: unknown }) => {
      this.replies.get(id)?.(value);
      this.replies.delete(id);
    });
  }

  static async start(options: ReceiverOptions = {}): Promise<WebhookReceiver> {
    const child = fork(PROGRAM, [JSON.stringify(options)], { execArgv: [] });
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    return new WebhookReceiver(child, port, options.tls ? 'https' : 'http');
  }

  /** `path` begins with a slash; each path has answers, and a secret, of its own. */
  url(path = '/'): string {
    return `${this.scheme}://127.0.0.1:${this.port}${path}`;
  }

  /** What the posts to a path get, one after the other, and the last one also all that follow. Untold it is 200. */
  async answer(path: string, ...answers: (ReceiverAnswer | number)[]): Promise<void> {
    const full = answers.map((answer) => (typeof answer === 'number' ? { status: answer } : answer));
    await this.ask({ ask: 'answer', path, answers: full });
  }

  /** By which secrets the signatures of posts to a path are judged. */
  async trust(path: string, secrets: ReceiverSecrets): Promise<void> {
    await this.ask({ ask: 'trust', path, secrets });
  }

  /** Oldest first; of one path, or all. Throws if a webhook came, to any path, whose body is not as its schema says. */
  async received(path?: string): Promise<ReceivedPost[]> {
    const { posts, faults } = (await this.ask({ ask: 'received', path })) as ReceivedPosts;
    if (faults.length > 0) throw new Error(faults.join('\n'));
    return posts;
  }

  /** All of the path, once there are so many. */
  async waitForPosts(count: number, path?: string, timeoutMs?: number): Promise<ReceivedPost[]> {
    const areThere = async () => ((await this.ask({ ask: 'count', path })) as number) >= count;
    await waitFor(`${count} posts to ${path ?? 'the receiver'}`, areThere, timeoutMs);
    return this.received(path);
  }

  /** Since the last reset, and those that are open now. */
  async connections(): Promise<ReceiverConnections> {
    return (await this.ask({ ask: 'connections' })) as ReceiverConnections;
  }

  /** Forgets everything. */
  async reset(): Promise<void> {
    await this.ask({ ask: 'reset' });
  }

  async stop(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
  }

  private ask(request: ReceiverRequest): Promise<unknown> {
    const id = ++this.asked;
    return new Promise((resolve) => {
      this.replies.set(id, resolve);
      this.child.send({ id, request });
    });
  }
}
