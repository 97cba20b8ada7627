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

/** A receiver of webhooks in a separate process: responds as the test wants, and keeps the posts. */
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

  /** `path` begins with a slash; each path has its own answers and secret. */
  url(path = '/'): string {
    return `${this.scheme}://127.0.0.1:${this.port}${path}`;
  }

  /** Sets the answers to successive posts to a path; the last one repeats. By default the answer is 200. */
  async answer(path: string, ...answers: (ReceiverAnswer | number)[]): Promise<void> {
    const full = answers.map((answer) => (typeof answer === 'number' ? { status: answer } : answer));
    await this.ask({ ask: 'answer', path, answers: full });
  }

  /** Sends the answers to a path that are held, and later ones at once. */
  async release(path: string): Promise<void> {
    await this.ask({ ask: 'release', path });
  }

  /** Sets the secrets that verify the signatures of posts to a path. */
  async trust(path: string, secrets: ReceiverSecrets): Promise<void> {
    await this.ask({ ask: 'trust', path, secrets });
  }

  /** The posts to one path or all, oldest first. Throws if the body of any webhook does not match its schema. */
  async received(path?: string): Promise<ReceivedPost[]> {
    const { posts, faults } = (await this.ask({ ask: 'received', path })) as ReceivedPosts;
    if (faults.length > 0) throw new Error(faults.join('\n'));
    return posts;
  }

  /** Waits for so many posts to the path, and returns all of them. */
  async waitForPosts(count: number, path?: string): Promise<ReceivedPost[]> {
    const areThere = async () => ((await this.ask({ ask: 'count', path })) as number) >= count;
    await waitFor(`${count} posts to ${path ?? 'the receiver'}`, areThere);
    return this.received(path);
  }

  /** Connections since the last reset, and those open now. */
  async connections(): Promise<ReceiverConnections> {
    return (await this.ask({ ask: 'connections' })) as ReceiverConnections;
  }

  /** Removes all posts, answers and secrets. */
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
