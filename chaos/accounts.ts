import { newId } from '../src/shared/ids.js';
import { TOPIC_ARN } from '../test/support/fake-aws/sns-post.js';
import { KEYS } from '../test/support/vendor-posts.js';
import { ask, exchangeOf } from './clients.js';
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
  /** Identifies its AWS account. */
  accessKeyId: string;
  cap: number;
  keys: ChaosKey[];
  /** Headers with the session of an admin. */
  session: Record<string, string>;
}

export interface ChaosAccounts {
  /** Sends e-mail through the relay. */
  smtp: ChaosAccount;
  /** Sends e-mail through SES, and SMS. */
  aws: ChaosAccount;
  /** Sends e-mail through the relay, and SMS; reaches its own cap and that of one of its keys. */
  capped: ChaosAccount;
}

interface NewAccount {
  name: keyof ChaosAccounts;
  provider: 'smtp' | 'ses';
  hasSms: boolean;
  cap: number;
  keyLimits: (number | null)[];
}

const UNREACHED_CAP = 100_000_000;
const REGION = 'us-east-1';
/** More than the machine can send: sending rates are not tested here. */
const SMS_PER_SECOND = 1_000;

/** `cappedSends` is the number of sends of the capped account, which uses two keys alternately. */
export async function openAccounts(
  database: ChaosDatabase,
  url: string,
  relayPort: number,
  cappedSends: number,
): Promise<ChaosAccounts> {
  const open = (account: NewAccount) => openAccount(database, url, relayPort, account);
  const uncapped = { cap: UNREACHED_CAP, keyLimits: [null] };
  return {
    smtp: await open({ name: 'smtp', provider: 'smtp', hasSms: false, ...uncapped }),
    aws: await open({ name: 'aws', provider: 'ses', hasSms: true, ...uncapped }),
    capped: await open({
      name: 'capped',
      provider: 'smtp',
      hasSms: true,
      cap: Math.floor(cappedSends * 0.5),
      keyLimits: [Math.floor(cappedSends * 0.2), null],
    }),
  };
}

async function openAccount(
  database: ChaosDatabase,
  url: string,
  relayPort: number,
  { name, provider, hasSms, cap, keyLimits }: NewAccount,
): Promise<ChaosAccount> {
  const [id, sender, accessKeyId] = [newId(new Date()), `${name}@example.com`, `AKIA${name.toUpperCase()}`];
  const session = await addAdmin(database, url, id);
  const smtp = { host: '127.0.0.1', port: relayPort, vendor: 'generic', eventSigningKey: KEYS.generic };
  const ses = { region: REGION, accessKeyId, secretAccessKey: 'a secret of AWS', topicArn: TOPIC_ARN };
  const sms = {
    enabled: true,
    region: REGION,
    originationNumber: '+12065550100',
    maxSendRate: SMS_PER_SECOND,
    eventSigningKey: KEYS.generic,
  };
  const settings = {
    emailProvider: provider,
    dailySendCap: cap,
    ...(provider === 'smtp' ? { smtp } : {}),
    ...(provider === 'ses' || hasSms ? { ses } : {}),
    ...(hasSms ? { sms } : {}),
  };
  await ask(url, exchangeOf('PATCH', '/api/settings', session, settings));
  await database.query(
    `INSERT INTO senders (id, account_id, email, normalised_email, status, verified_at, created_at, set_up_for,
       link_carrier)
     VALUES ($1, $2, $3, $3, 'verified', now(), now(), $4, CASE $4::text WHEN 'smtp' THEN 'installation' ELSE $4 END)`,
    [newId(new Date()), id, sender, provider === 'smtp' ? 'smtp' : `ses:${REGION}:${accessKeyId}`],
  );
  const keys: ChaosKey[] = [];
  for (const dailyLimit of keyLimits) {
    const scopes = ['send', 'sms:send', 'read_events'];
    const body = { name: 'Chaos', scopes, ...(dailyLimit === null ? {} : { dailyLimit }) };
    const key = await ask<{ id: string; secret: string }>(url, exchangeOf('POST', '/api/api-keys', session, body));
    keys.push({ ...key, dailyLimit });
  }
  return { id, sender, accessKeyId, cap, keys, session };
}

/** Adds an account with an admin, who has the same password as the first one. */
async function addAdmin(database: ChaosDatabase, url: string, id: string): Promise<Record<string, string>> {
  const email = `${newId(new Date())}@example.com`;
  await database.query('INSERT INTO accounts (id, name, created_at, updated_at) VALUES ($1, $1, now(), now())', [id]);
  await database.query(
    `INSERT INTO users (id, account_id, email, normalised_email, password_hash, role, created_at, updated_at)
     SELECT $1, $2, $3, $3, password_hash, 'admin', now(), now() FROM users WHERE email = $4`,
    [newId(new Date()), id, email, ADMIN.email],
  );
  const login = exchangeOf('POST', '/api/auth/login', {}, { email, password: ADMIN.password });
  const { accessToken } = await ask<{ accessToken: string }>(url, login);
  return { authorization: `Bearer ${accessToken}` };
}
