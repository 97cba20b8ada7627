import type { TestService } from './service.js';

/** Tables without account data, which the service itself needs. */
const OF_NO_ACCOUNT = [
  'login_client_throttles',
  'login_throttles',
  'migrations',
  'schedule_runs',
  'verification_mail_counts',
];

interface Table {
  name: string;
  columns: string[];
}

/**
 * A checksum of each table's rows of the account. Of a table that names neither accounts nor messages all rows count;
 * new tables are taken in by themselves.
 */
export async function checksumsOf(service: TestService, accountId: string): Promise<Record<string, string>> {
  const tables = await service.query<Table>(TABLES, [OF_NO_ACCOUNT]);
  const checksums = tables.map(
    ({ name, columns }) =>
      `SELECT '${name}' AS name, md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS checksum FROM ${name} t
       WHERE $1::text IS NOT NULL AND ${conditionFor(name, columns)}`,
  );
  const rows = await service.query<{ name: string; checksum: string }>(checksums.join(' UNION ALL '), [accountId]);
  return Object.fromEntries(rows.map(({ name, checksum }) => [name, checksum]));
}

/** The ids of all rows of the account, and its own. */
export async function idsOf(service: TestService, accountId: string): Promise<string[]> {
  const tables = await service.query<Table>(TABLES, [OF_NO_ACCOUNT]);
  const owned = tables.filter(({ columns }) => columns.includes('id') && columns.includes('account_id'));
  const rows = owned.map(({ name }) =>
    service.query<{ id: string }>(`SELECT id FROM ${name} WHERE account_id = $1`, [accountId]),
  );
  return [accountId, ...(await Promise.all(rows)).flat().map(({ id }) => id)];
}

function conditionFor(name: string, columns: string[]): string {
  if (name === 'accounts') return 'id = $1';
  if (columns.includes('account_id')) return 'account_id = $1';
  if (columns.includes('campaign_id')) return 'campaign_id IN (SELECT id FROM campaigns WHERE account_id = $1)';
  if (columns.includes('message_id')) return 'message_id IN (SELECT id FROM message_logs WHERE account_id = $1)';
  return 'true';
}

const TABLES = `
  SELECT quote_ident(c.relname) AS name, array_agg(a.attname::text) AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname <> ALL ($1) AND c.relname NOT LIKE 'bullmq%'
  GROUP BY c.relname`;
