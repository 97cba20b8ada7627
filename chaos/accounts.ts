import { newId } from '../src/shared/ids.js';
import { TOPIC_ARN } from '../test/support/fake-aws/sns-post.js';
import { KEYS } from '../test/support/vendor-posts.js';
import { exchangeOf } from './clients.js';
import type { ChaosDatabase } from './database.js';

export const ADMIN = { email: 'admin@example.com', password: 'a password for chaos' };

export interface ChaosKey {
  id: string;
  secret: string;
  dailyLimit: number | null;
}

export interface ChaosAccount {
  id: string;
  sender: string;
  cap: number;
  keys: ChaosKey[];
  /** Of an admin of the account. */
  session: Record<string, string>;
}

export interface ChaosAccounts {
  /** Sends through the relay. */
  smtp: ChaosAccount;
  ses: ChaosAccount;
  /** Through the relay too, but reaches the cap of one of its keys and its own. */
  capped: ChaosAccount;
}

interface Wanted {
  sender: string;
  settings: object;
  setUpFor?: string;
  cap: number;
  keyLimits: (number | null)[];
}

const PLENTY = 1_000_000;
const SES = { region: 'us-east-1', accessKeyId: 'AKIACHAOS', secretAccessKey: 'a secret of SES', topicArn: TOPIC_ARN };

/** `cappedSends`: how many sends the capped account will be asked for, by two keys in turn. */
export async function openAccounts(
  database: ChaosDatabase,
  url: string,
  relayPort: number,
  cappedSends: number,
): Promise<ChaosAccounts> {
  const smtp = { host: '127.0.0.1', port: relayPort, vendor: 'generic', eventSigningKey: KEYS.generic };
  const one = [null];
  return {
    smtp: await openAccount(database, url, {
      sender: 'smtp@example.com',
      settings: { smtp },
      cap: PLENTY,
      keyLimits: one,
    }),
    ses: await openAccount(database, url, {
      sender: 'ses@example.com',
      settings: { emailProvider: 'ses', ses: SES },
      setUpFor: `ses:${SES.region}:${SES.accessKeyId}`,
      cap: PLENTY,
      keyLimits: one,
    }),
    capped: await openAccount(database, url, {
      sender: 'capped@example.com',
      settings: { smtp },
      cap: Math.floor(cappedSends * 0.5),
      keyLimits: [Math.floor(cappedSends * 0.2), null],
    }),
  };
}

async function openAccount(database: ChaosDatabase, url: string, wanted: Wanted): Promise<ChaosAccount> {
  const { sender, settings, setUpFor = 'smtp', cap, keyLimits } = wanted;
  const now = new Date();
  const [id, email] = [newId(now), `${newId(now)}@example.com`];
  await database.query('INSERT INTO accounts (id, name, created_at, updated_at) VALUES ($1, $1, $2, $2)', [id, now]);
  await database.query(
    `INSERT INTO users (id, account_id, email, normalised_email, password_hash, role, created_at, updated_at)
     SELECT $1, $2, $3, $3, password_hash, 'admin', $4, $4 FROM users WHERE email = $5`,
    [newId(now), id, email, now, ADMIN.email],
  );
  const login = { email, password: ADMIN.password };
  const { accessToken } = await ask<{ accessToken: string }>(url, 'POST', '/api/auth/login', {}, login);
  const session = { authorization: `Bearer ${accessToken}` };
  await ask(url, 'PATCH', '/api/settings', session, { ...settings, dailySendCap: cap });
  await database.query(
    `INSERT INTO senders (id, account_id, email, normalised_email, status, verified_at, created_at, set_up_for,
       link_carrier)
     VALUES ($1, $2, $3, $3, 'verified', $4, $4, $5, CASE $5 WHEN 'smtp' THEN 'installation' ELSE $5 END)`,
    [newId(now), id, sender, now, setUpFor],
  );
  const keys: ChaosKey[] = [];
  for (const dailyLimit of keyLimits) {
    const body = { name: 'Chaos', scopes: ['send', 'read_events'], ...(dailyLimit === null ? {} : { dailyLimit }) };
    keys.push({
      ...(await ask<{ id: string; secret: string }>(url, 'POST', '/api/api-keys', session, body)),
      dailyLimit,
    });
  }
  return { id, sender, cap, keys, session };
}

export async function ask<T>(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: object,
): Promise<T> {
  const reply = await exchangeOf(method, path, headers, body)(url, AbortSignal.timeout(30_000));
  if (reply.status >= 300) throw new Error(`${method} ${path} answered ${reply.status}: ${reply.body}`);
  return JSON.parse(reply.body) as T;
}
