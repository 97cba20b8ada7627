import { Client } from 'pg';

const ANSWER_LIMIT_MS = 30_000;

export const urlOf = (database: string, port: number, password: string) =>
  `postgres://service:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;

export async function ensureServiceDatabase(port: number, password: string): Promise<void> {
  const client = new Client({
    connectionString: urlOf('postgres', port, password),
    connectionTimeoutMillis: ANSWER_LIMIT_MS,
    query_timeout: ANSWER_LIMIT_MS,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const found = await client.query("SELECT FROM pg_database WHERE datname = 'service'");
    if (found.rowCount === 0) await client.query('CREATE DATABASE service');
  } finally {
    await client.end();
  }
}
