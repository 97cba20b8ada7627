import { randomBytes } from 'node:crypto';

import type { Pool } from 'pg';

import { WEBHOOK_EVENTS } from '../../src/modules/webhooks/domain/webhook-event.js';
import { createTestDatabase, openPool } from './database.js';
import { type Backend, startApi } from './delivery-fixture.js';
import { startRedis } from './redis.js';
import { ServiceProcess } from './service-process.js';
import { WebhookReceiver } from './webhook-receiver.js';

const ADMIN = { email: 'admin@example.com', password: 'correct horse battery' };

/** An API in this process, worker processes started by the test, and a receiver. */
export class WebhookProcesses {
  private addresses = 0;

  private constructor(
    readonly receiver: WebhookReceiver,
    private readonly variables: Record<string, string>,
    private readonly url: string,
    private readonly token: string,
    private readonly pool: Pool,
    private readonly end: () => Promise<void>,
  ) {}

  static async start(backend: Backend): Promise<WebhookProcesses> {
    const database = await createTestDatabase();
    const redis = backend === 'Redis' ? await startRedis() : undefined;
    const receiver = await WebhookReceiver.start();
    const variables = {
      DATABASE_URL: database.url,
      APP_SECRET: randomBytes(32).toString('hex'),
      LOG_LEVEL: 'warn',
      WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ...(redis ? { REDIS_URL: redis.url } : {}),
    };
    const api = await startApi(variables);
    const pool = openPool(database);
    const { accessToken } = (await post(`${api.url}/api/auth/login`, ADMIN)) as { accessToken: string };
    return new WebhookProcesses(receiver, variables, api.url, accessToken, pool, async () => {
      await api.stop();
      await pool.end();
      await receiver.stop();
      await database.drop();
      await redis?.stop();
    });
  }

  stop(): Promise<void> {
    return this.end();
  }

  startWorker(): ServiceProcess {
    return ServiceProcess.spawn({ ...this.variables, ROLE: 'worker' });
  }

  async addEndpoint(path: string): Promise<string> {
    const body = { url: this.receiver.url(path), events: WEBHOOK_EVENTS };
    const endpoint = (await post(`${this.url}/api/webhooks`, body, this.token)) as {
      id: string;
      signingSecret: string;
    };
    await this.receiver.trust(path, { current: endpoint.signingSecret });
    return endpoint.id;
  }

  /** Causes one event per address, and returns the addresses. */
  async suppress(count: number): Promise<string[]> {
    const emails = Array.from({ length: count }, () => `user${(this.addresses += 1)}@example.com`);
    const headers = { Authorization: `Bearer ${this.token}`, 'Content-Type': 'text/csv' };
    const request = { method: 'POST', headers, body: emails.join('\n') };
    const response = await fetch(`${this.url}/api/suppressions/import`, request);
    if (!response.ok) throw new Error(`Answered ${response.status}: ${await response.text()}`);
    return emails;
  }

  async get(path: string): Promise<unknown> {
    return (await fetch(`${this.url}${path}`, { headers: { Authorization: `Bearer ${this.token}` } })).json();
  }

  async query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query(text, values)).rows as Row[];
  }

  /** The number of deliveries by state. */
  async states(): Promise<Record<string, number>> {
    const rows = await this.query<{ state: string; count: number }>(
      'SELECT state, count(*)::integer AS count FROM webhook_deliveries GROUP BY state',
    );
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  }

  /** Runs `work` while other connections cannot write to the table. */
  async withTableLocked<T>(table: string, work: () => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    try {
      await client.query(`BEGIN; LOCK TABLE ${table} IN EXCLUSIVE MODE`);
      return await work();
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }
}

async function post(url: string, body: object, token = ''): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`Answered ${response.status}: ${await response.text()}`);
  return response.json();
}
