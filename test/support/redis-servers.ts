import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Redis } from 'ioredis';

import { freePort } from './redis.js';
import { waitFor } from './wait-for.js';

const MASTER = 'delivery';
const SENTINELS = 3;
const QUORUM = 2;
const DOWN_AFTER_MS = 500;
/** To be percent-encoded in a URL. */
const PASSWORD = 'of the servers: 100 %';
const SENTINEL_PASSWORD = 'of+the@Sentinels';
const NODES = 3;
const SLOTS = 16_384;

/** One redis-server, with its files in a directory of the test. */
class Server {
  private constructor(
    readonly port: number,
    readonly client: Redis,
    private readonly child: ChildProcess,
  ) {}

  static async start(dir: string, port: number, args: string[], password = PASSWORD): Promise<Server> {
    const common = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--requirepass', password];
    const child = spawn('redis-server', [...args, ...common], { stdio: 'ignore' });
    const client = new Redis({ port, password, lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => 50 });
    client.on('error', () => undefined); // it is not up yet, or a test has killed it
    const server = new Server(port, client, child);
    await waitFor(`the server on port ${port}`, () =>
      client.ping().then(
        () => true,
        () => false,
      ),
    );
    return server;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** As if its host had failed: connections stay open, and nobody answers. */
  freeze(): Promise<void> {
    this.child.kill('SIGSTOP');
    return Promise.resolve();
  }

  async kill(): Promise<void> {
    this.client.disconnect();
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
  }
}

/** Without persistence. */
const REDIS = ['--save', '', '--appendonly', 'no', '--masterauth', PASSWORD];
const credentials = `:${encodeURIComponent(PASSWORD)}@`;

/** A master and a replica, watched by Sentinels. */
export class SentinelRedis {
  private constructor(
    private readonly dir: string,
    readonly master: Server,
    private readonly replica: Server,
    private readonly sentinels: Server[],
  ) {}

  static async start(): Promise<SentinelRedis> {
    const dir = await mkdtemp(join(tmpdir(), 'test-sentinel-'));
    const atOnce = ['--repl-diskless-sync-delay', '0'];
    const master = await Server.start(dir, await freePort(), [...REDIS, ...atOnce]);
    const replicaOf = ['--replicaof', `127.0.0.1 ${master.port}`];
    const replica = await Server.start(dir, await freePort(), [...REDIS, ...replicaOf]);
    const sentinels: Server[] = [];
    for (let i = 0; i < SENTINELS; i++) sentinels.push(await startSentinel(dir, master.port));
    const redis = new SentinelRedis(dir, master, replica, sentinels);
    await waitFor('the replica', async () => (await replica.client.role())[3] === 'connected');
    await waitFor('the Sentinels to know each other', () => redis.isWatched());
    return redis;
  }

  get url(): string {
    const sentinels = this.sentinels.map(({ host }) => host).join(',');
    const password = encodeURIComponent(SENTINEL_PASSWORD);
    return `redis+sentinel://${credentials}${sentinels}/${MASTER}?sentinel_password=${password}`;
  }

  async untilFailedOver(): Promise<void> {
    const isMaster = () =>
      this.replica.client.role().then(
        ([role]) => role === 'master',
        () => false, // Sentinels close all connections to a server whose role they change
      );
    await waitFor('the failover', isMaster, 60_000);
  }

  async stop(): Promise<void> {
    for (const server of [...this.sentinels, this.replica, this.master]) await server.kill();
    await rm(this.dir, { recursive: true, force: true });
  }

  private async isWatched(): Promise<boolean> {
    const views = await Promise.all(this.sentinels.map(({ client }) => client.call('SENTINEL', 'MASTER', MASTER)));
    return views.every((view) => {
      const fields = view as string[];
      const field = (name: string) => fields[fields.indexOf(name) + 1];
      return field('num-slaves') === '1' && field('num-other-sentinels') === String(SENTINELS - 1);
    });
  }
}

async function startSentinel(dir: string, masterPort: number): Promise<Server> {
  const port = await freePort();
  const config = join(dir, `sentinel-${port}.conf`); // Sentinels keep their state there
  await writeFile(
    config,
    [
      `sentinel monitor ${MASTER} 127.0.0.1 ${masterPort} ${QUORUM}`,
      `sentinel down-after-milliseconds ${MASTER} ${DOWN_AFTER_MS}`,
      `sentinel failover-timeout ${MASTER} 5000`,
      `sentinel auth-pass ${MASTER} "${PASSWORD}"`,
      `sentinel sentinel-pass "${SENTINEL_PASSWORD}"`,
      '',
    ].join('\n'),
  );
  return Server.start(dir, port, [config, '--sentinel'], SENTINEL_PASSWORD);
}

/** A Cluster of masters without replicas. */
export class ClusterRedis {
  private constructor(
    private readonly dir: string,
    readonly nodes: Server[],
  ) {}

  static async start(): Promise<ClusterRedis> {
    const dir = await mkdtemp(join(tmpdir(), 'test-cluster-'));
    const nodes: Server[] = [];
    const busPorts: number[] = [];
    for (let i = 0; i < NODES; i++) {
      const [port, busPort] = [await freePort(), await freePort()];
      const files = ['--cluster-enabled', 'yes', '--cluster-config-file', `nodes-${port}.conf`];
      const args = [...REDIS, ...files, '--cluster-port', String(busPort)];
      nodes.push(await Server.start(dir, port, args));
      busPorts.push(busPort);
    }
    for (const [i, { client }] of nodes.entries()) {
      const [first, last] = [Math.floor((i * SLOTS) / NODES), Math.floor(((i + 1) * SLOTS) / NODES) - 1];
      await client.cluster('ADDSLOTSRANGE', first, last);
      if (i > 0) await client.call('CLUSTER', 'MEET', '127.0.0.1', nodes[0]!.port, busPorts[0]!);
    }
    await waitFor('the Cluster', async () => {
      const views = await Promise.all(nodes.map(({ client }) => client.cluster('INFO')));
      return views.every((view) => /cluster_state:ok/.test(view) && view.includes(`cluster_known_nodes:${NODES}`));
    });
    return new ClusterRedis(dir, nodes);
  }

  get url(): string {
    return `redis+cluster://${credentials}${this.nodes.map(({ host }) => host).join(',')}`;
  }

  /** The keys of each node. */
  keys(): Promise<string[][]> {
    return Promise.all(this.nodes.map(({ client }) => client.keys('*')));
  }

  async stop(): Promise<void> {
    for (const node of this.nodes) await node.kill();
    await rm(this.dir, { recursive: true, force: true });
  }
}
