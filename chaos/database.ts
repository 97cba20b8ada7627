import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import pg from 'pg';

import { type EmbeddedPostgres, startEmbeddedPostgres } from '../packages/embedded-postgres/src/index.js';
import { makeClockSettable } from '../test/support/database-clock.js';
import { ProxyProcess } from './proxy-process.js';
import type { Teardown } from './teardown.js';

/** A PostgreSQL with durable commits. Its address stays the same when it is killed and restarted. */
export class ChaosDatabase {
  /** For queries of the run itself, which may fail while the server is down. */
  readonly pool: pg.Pool;

  private constructor(
    readonly url: string,
    private postgres: Promise<EmbeddedPostgres>,
    private readonly proxy: ProxyProcess,
    /** Sets `clock_timestamp()` of the service off by so many seconds. */
    readonly setClockShift: (seconds: number) => Promise<void>,
    private readonly dataDir: string,
    private readonly teardown: Teardown,
  ) {
    this.pool = new pg.Pool({ connectionString: url, max: 4, connectionTimeoutMillis: 30_000 });
    this.pool.on('error', () => undefined); // faults cut these connections too
  }

  static async start(dataDir: string, teardown: Teardown): Promise<ChaosDatabase> {
    const postgres = startEmbeddedPostgres({ dataDir });
    let stop = async () => (await postgres).stop();
    teardown.add(() => stop());
    const proxy = await ProxyProcess.start();
    const url = new URL((await postgres).url);
    await proxy.request({ target: Number(url.port) });
    url.port = String(proxy.port);
    const setClockShift = await makeClockSettable({ url: url.href });
    const database = new ChaosDatabase(url.href, postgres, proxy, setClockShift, dataDir, teardown);
    stop = () => database.stop();
    return database;
  }

  /** Sends SIGKILL to the server, which ends its processes as in a crash. */
  async kill(): Promise<void> {
    const [pid] = (await readFile(join(this.dataDir, 'cluster', 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGKILL');
    await this.proxy.request({ target: null, cut: true });
  }

  /** Restarts on another port; PostgreSQL recovers what was committed. */
  async restart(): Promise<void> {
    if (this.teardown.hasBegun) return;
    const killed = this.postgres;
    this.postgres = (async () => {
      await (await killed).stop();
      return startEmbeddedPostgres({ dataDir: this.dataDir });
    })();
    await this.proxy.request({ target: Number(new URL((await this.postgres).url).port) });
  }

  async cutConnections(): Promise<void> {
    await this.proxy.request({ cut: true });
  }

  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(text, values)).rows;
  }

  private async stop(): Promise<void> {
    this.proxy.stop();
    void this.pool.end(); // not awaited: it would wait for connections in use
    await (await this.postgres).stop();
  }
}
