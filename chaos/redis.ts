import { freePort, startRedis, type TestRedis } from '../test/support/redis.js';
import { ProxyProcess } from './proxy-process.js';
import type { Teardown } from './teardown.js';

/** A Redis that loses its data when it is killed. Its address stays the same. */
export class ChaosRedis {
  /** Null while it is killed. */
  private redis: Promise<TestRedis> | null = null;

  private constructor(
    private readonly port: number,
    private readonly proxy: ProxyProcess,
    private readonly teardown: Teardown,
  ) {}

  static async start(teardown: Teardown): Promise<ChaosRedis> {
    const redis = new ChaosRedis(await freePort(), await ProxyProcess.start(), teardown);
    teardown.add(() => redis.stop());
    await redis.restart();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.proxy.port}`;
  }

  /** Sends SIGKILL. */
  async kill(): Promise<void> {
    const killed = this.redis;
    this.redis = null;
    await (await killed)?.stop();
    await this.proxy.request({ target: null, cut: true });
  }

  async restart(): Promise<void> {
    if (this.teardown.hasBegun) return;
    this.redis = startRedis(this.port);
    await this.redis;
    await this.proxy.request({ target: this.port });
  }

  async cutConnections(): Promise<void> {
    await this.proxy.request({ cut: true });
  }

  private async stop(): Promise<void> {
    this.proxy.stop();
    await (await this.redis)?.stop();
  }
}
