import { freePort, startRedis, type TestRedis } from '../test/support/redis.js';
import { TcpProxy } from '../test/support/tcp-proxy.js';
import type { Teardown } from './teardown.js';

/** A Redis that keeps nothing when it is killed, behind an address that stays the same. */
export class ChaosRedis {
  private starting: Promise<void> = Promise.resolve();

  private constructor(
    private readonly port: number,
    private redis: TestRedis,
    private readonly proxy: TcpProxy,
  ) {
    proxy.target = port;
  }

  static async start(teardown: Teardown): Promise<ChaosRedis> {
    const port = await freePort();
    const redis = new ChaosRedis(port, await startRedis(port), await TcpProxy.start());
    teardown.add(() => redis.stop());
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.proxy.port}`;
  }

  /** With SIGKILL. */
  async kill(): Promise<void> {
    this.proxy.target = null;
    await this.redis.stop();
    this.proxy.cut();
  }

  async restart(): Promise<void> {
    this.starting = (async () => {
      this.redis = await startRedis(this.port);
      this.proxy.target = this.port;
    })();
    await this.starting;
  }

  cutConnections(): void {
    this.proxy.cut();
  }

  private async stop(): Promise<void> {
    await this.starting.catch(() => undefined);
    this.proxy.stop();
    await this.redis.stop();
  }
}
