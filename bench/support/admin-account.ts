import type { BenchDatabase } from './environment.js';
import { SENDER } from './environment.js';
import { post, signIn } from './reader.js';

/** The account of the first user, who is created by the service at its start. */
export const ADMIN = { email: 'admin@example.com', password: 'a password for benchmarks' };
export const ADMIN_VARIABLES = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };

export interface AdminAccount {
  accountId: string;
  /** The header of its user's session. */
  session: Record<string, string>;
  /** The secret of a key that may send and import contacts. */
  key: string;
}

/** Opens the first account for sending: with a verified sender and without limits. */
export async function openAdminAccount(url: string, { pool }: BenchDatabase): Promise<AdminAccount> {
  const { accountId, account } = await signIn(url, ADMIN);
  const { headers: session } = account;
  await pool.query('UPDATE accounts SET daily_send_cap = 100000000 WHERE id = $1', [accountId]);
  await pool.query(
    `INSERT INTO senders (id, account_id, email, normalised_email, status, link_carrier, verified_at, created_at)
     VALUES ('c' || repeat('0', 24), $1, $2, $2, 'verified', 'installation', now(), now())`,
    [accountId, SENDER],
  );
  const { secret: key } = await post<{ secret: string }>(`${url}/api/api-keys`, session, {
    name: 'Bench',
    scopes: ['send', 'sms:send', 'contacts:write'],
  });
  return { accountId, session, key };
}
