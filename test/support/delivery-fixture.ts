import { randomBytes } from 'node:crypto';

import type { Pool } from 'pg';

import { hashSecret, newSecret, prefixOf } from '../../src/modules/keys/domain/api-key.js';
import { chunk } from '../../src/shared/collections.js';
import { newId } from '../../src/shared/ids.js';
import { createTestDatabase, openPool, type TestDatabase } from './database.js';
import { startRedis, type TestRedis } from './redis.js';
import { TestService } from './service.js';
import { SmtpSink } from './smtp-sink.js';

export type Backend = 'PostgreSQL' | 'Redis';
export const BACKENDS = ['PostgreSQL', 'Redis'] as const satisfies Backend[];

const SENDER = 'shop@example.com';
const SENT_AT_A_TIME = 50;

/** What processes of the service need to send, and what is to be seen of it from outside of them. */
export class DeliveryFixture {
  private api: TestService | undefined;

  private constructor(
    /** The environment of the processes. */
    readonly variables: Record<string, string>,
    readonly relay: SmtpSink,
    private readonly pool: Pool,
    /** The secret of the account's key. */
    readonly secret: string,
    private readonly end: () => Promise<void>,
  ) {}

  /** An account with a verified sender and a key, in this migrated database, and with a queue of its own. */
  static async start(backend: Backend, existing?: TestDatabase): Promise<DeliveryFixture> {
    const database = existing ?? (await createTestDatabase());
    const redis: TestRedis | undefined = backend === 'Redis' ? await startRedis() : undefined;
    const relay = await SmtpSink.start();
    const pool = openPool(database);
    const variables = {
      DATABASE_URL: database.url,
      SMTP_URL: relay.url,
      APP_SECRET: randomBytes(32).toString('hex'),
      LOG_LEVEL: 'warn',
      ...(redis ? { REDIS_URL: redis.url } : {}),
    };
    return new DeliveryFixture(variables, relay, pool, await insertAccount(pool), async () => {
      await pool.end();
      await relay.stop();
      await database.drop();
      await redis?.stop();
    });
  }

  /** Starts an API in this process, for tests whose subject are others: a process costs 2 s of CPU. Returns its URL. */
  async startApi(): Promise<string> {
    this.api = await startApi(this.variables);
    return this.api.url;
  }

  /** The ids of the messages, one for each recipient. Any answer but 201 fails the test. */
  async send(url: string, count: number): Promise<string[]> {
    const recipients = Array.from({ length: count }, (_, i) => `r${i}@example.org`);
    const ids: string[] = [];
    for (const some of chunk(recipients, SENT_AT_A_TIME)) {
      ids.push(...(await Promise.all(some.map(async (to) => (await this.sendOne(url, to)).messageLogId))));
    }
    return ids;
  }

  async sendOne(url: string, to: string): Promise<{ messageLogId: string }> {
    const response = await this.post(url, to);
    if (response.status !== 201) throw new Error(`Answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as { messageLogId: string };
  }

  /** A mail with these fields, which must be accepted. */
  async sendMail(url: string, mail: object): Promise<{ messageLogId: string; copies: { messageLogId: string }[] }> {
    const response = await fetch(`${url}/api/send/transactional`, {
      method: 'POST',
      headers: { 'X-API-Key': this.secret, 'Content-Type': 'application/json' },
      body: JSON.stringify({ fromEmail: SENDER, subject: 'Hello', text: 'Hello', ...mail }),
    });
    if (response.status !== 201) throw new Error(`Answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as { messageLogId: string; copies: { messageLogId: string }[] };
  }

  post(url: string, to: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${url}/api/send/transactional`, {
      method: 'POST',
      headers: { 'X-API-Key': this.secret, 'Content-Type': 'application/json', ...headers },
      body: bodyTo(to),
    });
  }

  /** A batch with a mail to each of them. */
  postBatch(url: string, recipients: readonly string[], headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${url}/api/send/batch`, {
      method: 'POST',
      headers: { 'X-API-Key': this.secret, 'Content-Type': 'application/json', ...headers },
      body: `{"messages":[${recipients.map(bodyTo).join()}]}`,
    });
  }

  /** The request of `post` as it goes over a connection. */
  postText(to: string): string {
    const body = bodyTo(to);
    return [
      'POST /api/send/transactional HTTP/1.1',
      'Host: x',
      `X-API-Key: ${this.secret}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n');
  }

  async timeline(url: string, id: string): Promise<{ type: string; data: Record<string, unknown> }[]> {
    const response = await fetch(`${url}/api/messages/${id}`, { headers: { 'X-API-Key': this.secret } });
    return ((await response.json()) as { events: { type: string; data: Record<string, unknown> }[] }).events;
  }

  /** Message ids as their mails arrived, repeated ones too. */
  arrivals(): string[] {
    return this.relay.received().map(({ parsed }) => /^<(.+)@/.exec(parsed.messageId!)![1]!);
  }

  /** Messages that a worker has claimed and not recorded. */
  inFlight(): Promise<string[]> {
    return this.column('SELECT message_id FROM pending_deliveries WHERE lease_ends_at IS NOT NULL');
  }

  pending(): Promise<string[]> {
    return this.column('SELECT message_id FROM pending_deliveries');
  }

  withStatus(status: string): Promise<string[]> {
    return this.column('SELECT id FROM message_logs WHERE status = $1', [status]);
  }

  /** The first column of each row. */
  async column(text: string, values: unknown[] = []): Promise<string[]> {
    const { rows } = await this.pool.query<string[]>({ text, values, rowMode: 'array' });
    return rows.map(([value]) => value!);
  }

  async stop(): Promise<void> {
    await this.api?.stop();
    await this.end();
  }
}

/** The API in this process, beside processes with this environment. */
export const startApi = (variables: Record<string, string>): Promise<TestService> =>
  TestService.start({ ...variables, ROLE: 'api', LOG_LEVEL: 'silent' }, { url: variables.DATABASE_URL! });

/** Everything that occurs more than once. */
export function duplicatesOf(ids: readonly string[]): string[] {
  return [...new Set(ids.filter((id, i) => ids.indexOf(id) < i))];
}

async function insertAccount(pool: Pool): Promise<string> {
  const now = new Date();
  const accountId = newId(now);
  const secret = newSecret();
  await pool.query(
    `INSERT INTO accounts (id, name, daily_send_cap, created_at, updated_at) VALUES ($1, 'Shop', 100000, $2, $2)`,
    [accountId, now],
  );
  await pool.query(
    `INSERT INTO senders (id, account_id, email, normalised_email, status, link_carrier, verified_at, created_at)
     VALUES ($1, $2, $3, $3, 'verified', 'installation', $4, $4)`,
    [newId(now), accountId, SENDER, now],
  );
  await pool.query(
    `INSERT INTO api_keys (id, account_id, name, prefix, secret_hash, scopes, ip_allowlist, created_at)
     VALUES ($1, $2, 'Shop', $3, $4, '{send,read_events}', '{}', $5)`,
    [newId(now), accountId, prefixOf(secret), hashSecret(secret), now],
  );
  return secret;
}

const bodyTo = (to: string): string => JSON.stringify({ to, fromEmail: SENDER, subject: 'Hello', text: 'Hello' });
