import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { Client } from 'pg';

import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../packages/embedded-postgres/src/index.js';

/** Not durable, but replicated: a standby gets only what has been flushed. */
const REPLICATED = {
  wal_level: 'replica',
  max_wal_senders: '4',
  synchronous_commit: 'on',
  max_connections: '100',
};

/** A primary and its streaming standby. */
export class ReplicatedPostgres {
  private constructor(
    private readonly primaryDir: string,
    private readonly standbyDir: string,
    private readonly primary: EmbeddedPostgres,
    private standby: EmbeddedPostgres,
  ) {}

  static async start(): Promise<ReplicatedPostgres> {
    const primaryDir = await mkdtemp(join(tmpdir(), 'test-primary-'));
    const standbyDir = await mkdtemp(join(tmpdir(), 'test-standby-'));
    const primary = await startEmbeddedPostgres({ dataDir: primaryDir, durable: false, settings: REPLICATED });
    try {
      await copyCluster(primary.url, join(primaryDir, 'cluster'), join(standbyDir, 'cluster'));
      const standby = await startStandby(standbyDir, primary.url);
      return new ReplicatedPostgres(primaryDir, standbyDir, primary, standby);
    } catch (error) {
      await primary.stop();
      throw error;
    }
  }

  get url(): string {
    return this.primary.url;
  }

  /** Another after each start. */
  get standbyUrl(): string {
    return this.standby.url;
  }

  stopStandby(): Promise<void> {
    return this.standby.stop();
  }

  async startStandby(): Promise<void> {
    this.standby = await startStandby(this.standbyDir, this.primary.url);
  }

  async onStandby<Row>(statement: string): Promise<Row[]> {
    const client = new Client({ connectionString: this.standbyUrl });
    await client.connect();
    try {
      return (await client.query(statement)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  async stop(): Promise<void> {
    await this.stopStandby();
    await this.primary.stop();
    for (const dir of [this.primaryDir, this.standbyDir]) await rm(dir, { recursive: true, force: true });
  }
}

/** A base backup without pg_basebackup, which the npm package lacks: a copy of the files between start and stop. */
async function copyCluster(url: string, from: string, to: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('standby', true)`);
    await cp(from, to, { recursive: true, filter: (path) => basename(path) !== 'postmaster.pid' });
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    await writeFile(join(to, 'backup_label'), rows[0]!.labelfile);
    await writeFile(join(to, 'standby.signal'), '');
  } finally {
    await client.end();
  }
}

function startStandby(dataDir: string, primaryUrl: string): Promise<EmbeddedPostgres> {
  const { hostname, port, username, password } = new URL(primaryUrl);
  const primary_conninfo = `host=${hostname} port=${port} user=${username} password=${password}`;
  return startEmbeddedPostgres({ dataDir, durable: false, settings: { ...REPLICATED, primary_conninfo } });
}
