import { expect } from '@jest/globals';
import { Client } from 'pg';

import { createAccountFromArguments } from '../../src/commands/account-create.js';
import { createTestDatabase, type TestDatabase } from './database.js';
import { duplicatesOf, DeliveryFixture } from './delivery-fixture.js';
import { LINK } from './campaign-fixture.js';
import { ServiceProcess, startListening } from './service-process.js';

const ADMIN = { email: 'admin@example.com', password: 'a password for tests' };
const SENDER = 'news@example.com';
const IMPORTED_AT_ONCE = 2_500;

/** A message that a worker had claimed when something was killed. */
interface Claim {
  messageId: string;
  claimId: string;
}

interface CampaignAnswer {
  id: string;
  status: string;
  progress: { recipients: number; waiting: number; accepted: number };
  stats: { total: number; status: Record<string, number> };
}

/** A campaign that processes of the built service run, and everything to be compared after some of them were killed. */
export class CampaignProcesses {
  private readonly claims: Claim[] = [];
  private url = '';
  private headers: Record<string, string> = {};

  private constructor(private readonly fixture: DeliveryFixture) {}

  /** In this migrated database, or a new one. */
  static async start(existing?: TestDatabase): Promise<CampaignProcesses> {
    return new CampaignProcesses(await DeliveryFixture.start('PostgreSQL', existing ?? (await createTestDatabase())));
  }

  get variables(): Record<string, string> {
    return this.fixture.variables;
  }

  get relay(): DeliveryFixture['relay'] {
    return this.fixture.relay;
  }

  stop(): Promise<void> {
    return this.fixture.stop();
  }

  /** Starts a process with both roles, and signs in to it with an account of its own. */
  async listen(): Promise<ServiceProcess> {
    const { process, url } = await startListening({ ...this.variables, ROLE: 'all' });
    await this.signIn(url);
    return process;
  }

  /** Starts an API in this process, and signs in to it with an account of its own. */
  async startApi(): Promise<void> {
    await this.signIn(await this.fixture.startApi());
  }

  private async signIn(url: string): Promise<void> {
    const args = ['--name', 'News', '--email', ADMIN.email, '--password', ADMIN.password];
    await createAccountFromArguments(args, { databaseUrl: this.variables.DATABASE_URL!, dataDir: '' });
    this.url = url;
    const { accessToken } = await this.request<{ accessToken: string }>('POST', '/api/auth/login', ADMIN);
    this.headers = { Authorization: `Bearer ${accessToken}` };
    await this.request('PATCH', '/api/settings', { dailySendCap: 1_000_000 });
    await this.fixture.column(
      `INSERT INTO senders (id, account_id, email, normalised_email, status, link_carrier, verified_at, created_at)
       SELECT 'c' || right(account_id, 24), account_id, $2, $2, 'verified', 'installation', now(), now()
       FROM users WHERE email = $1`,
      [ADMIN.email, SENDER],
    );
  }

  work(): ServiceProcess {
    return ServiceProcess.spawn({ ...this.variables, ROLE: 'worker' });
  }

  /** Returns the id of a campaign to this many recipients. */
  async create(recipients: number): Promise<string> {
    const { id: listId } = await this.request<{ id: string }>('POST', '/api/lists', { name: 'Readers' });
    for (let from = 0; from < recipients; from += IMPORTED_AT_ONCE) {
      const count = Math.min(IMPORTED_AT_ONCE, recipients - from);
      const contacts = Array.from({ length: count }, (_, i) => ({ email: `r${from + i}@example.org` }));
      await this.request('POST', '/api/contacts/import', { contacts, listId });
    }
    const plan = { name: 'News', fromEmail: SENDER, subject: 'News', html: LINK, audience: { listIds: [listId] } };
    return (await this.request<CampaignAnswer>('POST', '/api/campaigns', plan)).id;
  }

  act(id: string, action: string): Promise<CampaignAnswer> {
    return this.request('POST', `/api/campaigns/${id}/${action}`);
  }

  get(id: string): Promise<CampaignAnswer> {
    return this.request('GET', `/api/campaigns/${id}`);
  }

  arrivals(): string[] {
    return this.fixture.arrivals();
  }

  /**
   * Call it right after something was killed: what is claimed now may be submitted a second time. `server` is for a
   * server that nobody else reaches yet.
   */
  async noteClaims(server?: string): Promise<void> {
    const url = new URL(this.variables.DATABASE_URL!);
    if (server !== undefined) url.port = new URL(server).port;
    const client = new Client({ connectionString: url.href });
    await client.connect();
    const { rows } = await client.query<Claim>(
      `SELECT message_id AS "messageId", claim_id AS "claimId" FROM pending_deliveries WHERE lease_ends_at IS NOT NULL`,
    );
    await client.end();
    this.claims.push(...rows);
  }

  /** As if a minute had passed for the sweeps: messages whose job was lost are due, and a campaign without a feeder. */
  async hurrySweeps(): Promise<void> {
    await this.fixture.column(`UPDATE pending_deliveries SET sweep_at = now() WHERE lease_ends_at IS NULL`);
    await this.fixture.column(`UPDATE campaigns SET lease_ends_at = now() WHERE lease_ends_at IS NOT NULL`);
  }

  /**
   * Returns whether the campaign is completed. Brings forward what waits for another attempt. Ends the leases that were
   * noted as soon as every other message has its final status: nobody renews them, unless it is about to record an
   * outcome.
   */
  async isCompleted(id: string): Promise<boolean> {
    const claimIds = this.claims.map(({ claimId }) => claimId);
    const { status, progress } = await this.get(id);
    if (status === 'completed') return true;
    if (progress.recipients === 0 || progress.waiting > 0) return false;
    await this.fixture.column(
      'UPDATE pending_deliveries SET next_attempt_at = now(), sweep_at = now() WHERE next_attempt_at > now()',
    );
    const others = await this.fixture.column(
      'SELECT message_id FROM pending_deliveries WHERE claim_id IS NULL OR claim_id <> ALL ($1)',
      [claimIds],
    );
    if (others.length === 0)
      await this.fixture.column(
        'UPDATE pending_deliveries SET lease_ends_at = now(), sweep_at = now() WHERE claim_id = ANY ($1)',
        [claimIds],
      );
    return false;
  }

  /** See `expectedOf`. */
  async outcome(id: string) {
    const { progress, stats } = await this.get(id);
    const messages = await this.fixture.column(
      `SELECT id || ' ' || normalised_recipient FROM message_logs WHERE campaign_id = $1`,
      [id],
    );
    const recipients = await this.fixture.column(
      `SELECT message_id || ' ' || normalised_email FROM campaign_recipients WHERE campaign_id = $1 AND reason IS NULL`,
      [id],
    );
    const [used] = await this.fixture.column(
      'SELECT used FROM daily_usage u JOIN campaigns c ON c.account_id = u.subject_id',
    );
    const arrivals = this.arrivals();
    const claimed = new Set(this.claims.map(({ messageId }) => messageId));
    return {
      ...{ progress, stats, used: Number(used), messages: messages.length },
      addresses: new Set(messages.map((message) => message.split(' ')[1])).size,
      recipientsWithoutMessage: recipients.filter((recipient) => !messages.includes(recipient)),
      arrived: new Set(arrivals).size,
      repeatedWithoutReason: duplicatesOf(arrivals).filter((messageId) => !claimed.has(messageId)),
    };
  }

  /** The outcome of a completed campaign, whatever was killed. */
  expectedOf(recipients: number) {
    const status = expect.objectContaining({ queued: 0, sending: 0, sent: recipients, failed: 0, suppressed: 0 });
    return {
      progress: expect.objectContaining({ recipients, waiting: 0, accepted: recipients }),
      stats: expect.objectContaining({ total: recipients, status }),
      ...{ used: recipients, messages: recipients, addresses: recipients, recipientsWithoutMessage: [] },
      ...{ arrived: recipients, repeatedWithoutReason: [] },
    };
  }

  private async request<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(this.url + path, {
      method,
      headers: { ...this.headers, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
}

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
