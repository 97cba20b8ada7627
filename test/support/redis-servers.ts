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
const NODE_TIMEOUT_MS = 1_000;
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

  untilFailedOver(): Promise<void> {
    return untilMaster(this.replica);
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

/** Waits until the replica has taken over from its master. */
async function untilMaster({ client }: Server): Promise<void> {
  const isMaster = () =>
    client.role().then(
      ([role]) => role === 'master',
      () => false, // Sentinels close all connections to a server whose role they change
    );
  await waitFor('the failover', isMaster);
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

/** A Cluster of masters, without replicas or with one of each. */
export class ClusterRedis {
  private constructor(
    private readonly dir: string,
    readonly nodes: Server[],
    /** In the order of their masters. */
    private readonly replicas: Server[],
  ) {}

  static async start({ hasReplicas = false } = {}): Promise<ClusterRedis> {
    const dir = await mkdtemp(join(tmpdir(), 'test-cluster-'));
    const servers: Server[] = [];
    const count = hasReplicas ? 2 * NODES : NODES;
    let firstBusPort = 0;
    for (let i = 0; i < count; i++) {
      const [port, busPort] = [await freePort(), await freePort()];
      const files = ['--cluster-enabled', 'yes', '--cluster-config-file', `nodes-${port}.conf`];
      const times = ['--cluster-node-timeout', String(NODE_TIMEOUT_MS), '--repl-diskless-sync-delay', '0'];
      const server = await Server.start(dir, port, [...REDIS, ...files, ...times, '--cluster-port', String(busPort)]);
      servers.push(server);
      if (i === 0) firstBusPort = busPort;
      else await server.client.call('CLUSTER', 'MEET', '127.0.0.1', servers[0]!.port, firstBusPort);
    }
    const [nodes, replicas] = [servers.slice(0, NODES), servers.slice(NODES)];
    for (const [i, { client }] of nodes.entries()) {
      const [first, last] = [Math.floor((i * SLOTS) / NODES), Math.floor(((i + 1) * SLOTS) / NODES) - 1];
      await client.cluster('ADDSLOTSRANGE', first, last);
    }
    await waitFor('the Cluster', async () => {
      const views = await Promise.all(servers.map(({ client }) => client.cluster('INFO')));
      return views.every((view) => /cluster_state:ok/.test(view) && view.includes(`cluster_known_nodes:${count}`));
    });
    for (const [i, { client }] of replicas.entries())
      await client.call('CLUSTER', 'REPLICATE', (await nodes[i]!.client.call('CLUSTER', 'MYID')) as string);
    for (const { client } of replicas) await waitFor('a replica', async () => (await client.role())[3] === 'connected');
    return new ClusterRedis(dir, nodes, replicas);
  }

  get url(): string {
    return `redis+cluster://${credentials}${this.nodes.map(({ host }) => host).join(',')}`;
  }

  /** The node that has the keys with the hash tag. `untilFailedOver` waits for its replica. */
  async ownerOf(hashTag: string): Promise<{ master: Server; untilFailedOver(): Promise<void> }> {
    const slot = await this.nodes[0]!.client.cluster('KEYSLOT', `{${hashTag}}`);
    const index = Math.floor(((slot + 1) * NODES - 1) / SLOTS);
    return { master: this.nodes[index]!, untilFailedOver: () => untilMaster(this.replicas[index]!) };
  }

  /** The keys of each node. */
  keys(): Promise<string[][]> {
    return Promise.all(this.nodes.map(({ client }) => client.keys('*')));
  }

  async stop(): Promise<void> {
    for (const server of [...this.replicas, ...this.nodes]) await server.kill();
    await rm(this.dir, { recursive: true, force: true });
  }
}
