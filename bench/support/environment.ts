import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';

import { deriveText } from '../../src/mail/writing/derive-text.js';
import { startEmbeddedPostgres } from '../../packages/embedded-postgres/src/index.js';
import { newId } from '../../src/shared/ids.js';
import { currentProviderKey, currentVerificationProvider } from '../../src/providers/index.js';
import { Account } from '../../src/modules/accounts/domain/account.js';
import { hashSecret, newSecret, prefixOf } from '../../src/modules/keys/domain/api-key.js';

export interface BenchDatabase {
  url: string;
  pool: pg.Pool;
  stop(): Promise<void>;
}

/** Starts a PostgreSQL with durable commits, as in production, for one benchmark. */
export async function startDatabase(): Promise<BenchDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir });
  const pool = new pg.Pool({ connectionString: postgres.url, max: 4 });
  return {
    url: postgres.url,
    pool,
    stop: async () => {
      await pool.end();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export const SENDER = 'bench@example.com';

/** Creates an account with a verified sender and a key, and returns the secret of the key. */
export async function createAccount({ pool }: BenchDatabase): Promise<string> {
  const now = new Date();
  const accountId = newId(now);
  const secret = newSecret();
  await pool.query(
    'INSERT INTO accounts (id, name, daily_send_cap, created_at, updated_at) VALUES ($1, $2, 100000000, $3, $3)',
    [accountId, 'Bench', now],
  );
  await pool.query(
    `INSERT INTO senders (id, account_id, email, normalised_email, status, link_carrier, verified_at, created_at)
     VALUES ($1, $2, $3, $3, 'verified', 'installation', $4, $4)`,
    [newId(now), accountId, SENDER, now],
  );
  await pool.query(
    `INSERT INTO api_keys (id, account_id, name, prefix, secret_hash, scopes, ip_allowlist, daily_limit, created_at)
     VALUES ($1, $2, 'Bench', $3, $4, '{send,read_events,contacts:write}', '{}', 99999999, $5)`,
    [newId(now), accountId, prefixOf(secret), hashSecret(secret), now],
  );
  return secret;
}

const SES = {
  region: 'us-east-1',
  configurationSet: null,
  topicArn: null,
  accessKeyId: null,
  sealedSecretAccessKey: null,
};

/** All accounts send through this provider from now on, as if all senders had been verified for it. */
export async function useEmailProvider({ pool }: BenchDatabase, provider: 'ses' | 'smtp'): Promise<void> {
  await pool.query(USE_PROVIDER, [provider, SES]);
}

/** One statement: the service takes senders that were verified for another provider back. */
const USE_PROVIDER = `
  WITH changed AS (UPDATE accounts SET email_provider = $1, ses = $2 RETURNING *)
  UPDATE senders s
  SET status = 'verified', set_up_for = ${currentProviderKey('a')}, link_carrier = ${currentVerificationProvider('a')}
  FROM changed a WHERE s.account_id = a.id`;

/** Creates a test key of the only account, and returns its secret. */
export async function createTestKey({ pool }: BenchDatabase): Promise<string> {
  const now = new Date();
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM accounts WHERE test_of IS NULL');
  const accountId = rows[0]?.id ?? '';
  const { id, name, testOf, dailySendCap, createdAt } = Account.openTest(accountId, 'Bench', now);
  await pool.query(
    'INSERT INTO accounts (id, name, test_of, daily_send_cap, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)',
    [id, name, testOf, dailySendCap, createdAt],
  );
  const secret = newSecret('test');
  await pool.query(
    `INSERT INTO api_keys (id, account_id, test_of, name, prefix, secret_hash, scopes, ip_allowlist, daily_limit,
      created_at)
     VALUES ($1, $2, $3, 'Bench', $4, $5, '{send}', '{}', 1000000, $6)`,
    [newId(now), id, testOf, prefixOf(secret, 'test'), hashSecret(secret), now],
  );
  return secret;
}

const PARAGRAPH = '<p>Thank you for your order. It leaves our warehouse today and reaches you within three days.</p>';

/** About 1 KB of HTML. */
export const HTML = `<h1>Your order</h1>${PARAGRAPH.repeat(10)}`;

/** The text that the service derives, so that the reference sends the same mail. */
export const TEXT = deriveText(HTML);

/** A file of that size which cannot be compressed. */
export const attachmentOf = (bytes: number): Buffer => createHash('shake256', { outputLength: bytes }).digest();
