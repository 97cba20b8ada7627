import { newId } from '../../src/shared/ids.js';
import type { BenchDatabase } from './environment.js';
import { post } from './reader.js';

/** An account with webhook endpoints. */
export interface SubscribedAccount {
  /** The path of its endpoint at the receiver. */
  path: string;
  /** Adds endpoints for the same events. */
  addEndpoints(count: number): Promise<void>;
  /** Suppresses new addresses in one import. */
  suppress(count: number): Promise<void>;
}

export interface Admin {
  email: string;
  password: string;
}

/** Creates accounts with an endpoint each. Their admins have the same password as `admin`, who exists already. */
export async function subscribeAccounts(
  { pool }: BenchDatabase,
  service: string,
  { email: knownEmail, password }: Admin,
  receiver: string,
  count: number,
): Promise<SubscribedAccount[]> {
  const accounts: SubscribedAccount[] = [];
  for (let i = 0; i < count; i++) {
    const now = new Date();
    const [accountId, email] = [newId(now), `admin-${newId(now)}@example.com`];
    await pool.query('INSERT INTO accounts (id, name, created_at, updated_at) VALUES ($1, $1, $2, $2)', [
      accountId,
      now,
    ]);
    await pool.query(
      `INSERT INTO users (id, account_id, email, normalised_email, password_hash, role, created_at, updated_at)
       SELECT $1, $2, $3, $3, password_hash, 'admin', $4, $4 FROM users WHERE email = $5`,
      [newId(now), accountId, email, now, knownEmail],
    );
    const { accessToken } = await post<{ accessToken: string }>(`${service}/api/auth/login`, {}, { email, password });
    const session = { authorization: `Bearer ${accessToken}` };
    const path = `/${i}`;
    const addEndpoint = (below: string) =>
      post(`${service}/api/webhooks`, session, { url: receiver + below, events: ['contact.suppressed'] });
    await addEndpoint(path);
    accounts.push({
      path,
      addEndpoints: async (count) => {
        for (let n = 0; n < count; n++) await addEndpoint(`${path}/${n}`);
      },
      suppress: (addresses) => importAddresses(service, session, addresses),
    });
  }
  return accounts;
}

let addresses = 0;

async function importAddresses(service: string, session: Record<string, string>, count: number): Promise<void> {
  const lines = Array.from({ length: count }, () => `recipient-${++addresses}@example.net`);
  const response = await fetch(`${service}/api/suppressions/import`, {
    method: 'POST',
    headers: { ...session, 'content-type': 'text/csv' },
    body: ['email', ...lines].join('\n'),
  });
  const { added } = (await response.json()) as { added?: number };
  if (added !== count) throw new Error(`${added} of ${count} addresses were suppressed`);
}
