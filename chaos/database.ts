import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import pg from 'pg';

import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/platform/embedded-postgres/embedded-postgres.js';
import { TcpProxy } from '../test/support/tcp-proxy.js';
import type { Teardown } from './teardown.js';

/** A PostgreSQL with durable commits behind an address that stays the same when it is killed and started again. */
export class ChaosDatabase {
  /** For the run's own questions; a query may fail while the server is away. */
  readonly pool: pg.Pool;
  readonly url: string;
  private starting: Promise<void> = Promise.resolve();

  private constructor(
    private readonly dataDir: string,
    private postgres: EmbeddedPostgres,
    private readonly proxy: TcpProxy,
  ) {
    const url = new URL(postgres.url);
    this.proxy.target = Number(url.port);
    url.port = String(proxy.port);
    this.url = url.href;
    this.pool = new pg.Pool({ connectionString: this.url, max: 4, connectionTimeoutMillis: 5_000 });
    this.pool.on('error', () => undefined); // the plan cuts its connections too
  }

  static async start(dataDir: string, teardown: Teardown): Promise<ChaosDatabase> {
    const postgres = await startEmbeddedPostgres({ dataDir });
    const proxy = await TcpProxy.start();
    const database = new ChaosDatabase(dataDir, postgres, proxy);
    teardown.add(() => database.stop());
    return database;
  }

  /** SIGKILL to the server itself: its processes end where they are, as in a crash. */
  async kill(): Promise<void> {
    const [pid] = (await readFile(join(this.dataDir, 'cluster', 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGKILL');
    this.proxy.target = null;
    this.proxy.cut();
  }

  /** Recovers what was committed, on another port. */
  async restart(): Promise<void> {
    this.starting = (async () => {
      await this.postgres.stop();
      this.postgres = await startEmbeddedPostgres({ dataDir: this.dataDir });
      this.proxy.target = Number(new URL(this.postgres.url).port);
    })();
    await this.starting;
  }

  cutConnections(): void {
    this.proxy.cut();
  }

  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(text, values)).rows;
  }

  private async stop(): Promise<void> {
    await this.starting.catch(() => undefined);
    this.proxy.stop();
    await this.pool.end();
    await this.postgres.stop();
  }
}
