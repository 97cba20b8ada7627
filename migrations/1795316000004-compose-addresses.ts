import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Addresses are compared in lower case and then composed (NFC), because `J` with a caron is a single character in lower
 * case only. Addresses stored otherwise would no longer be found. A suppression gets a second entry in the new form, so
 * that no version of the service sends to it; rows whose new form is taken are left unchanged.
 */
export class ComposeAddresses1795316000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [row] = (await runner.query(`SELECT current_setting('server_encoding') AS encoding`)) as {
      encoding: string;
    }[];
    if (row?.encoding !== 'UTF8') return; // only there can text be normalised
    for (const statement of UP) await runner.query(statement);
  }

  /** Nothing to do: earlier versions find these addresses too. */
  async down(): Promise<void> {
    await Promise.resolve();
  }
}

/** Skips ASCII, which is always composed. */
const isDecomposed = (column: string) =>
  `octet_length(${column}) > char_length(${column}) AND ${column} IS NOT NFC NORMALIZED`;

const composed = (table: string, column: string) => `
  UPDATE ${table} t SET ${column} = d.composed
  FROM (
    SELECT id, normalize(${column}, NFC) AS composed,
      row_number() OVER (PARTITION BY account_id, normalize(${column}, NFC) ORDER BY id) AS position
    FROM ${table} WHERE ${isDecomposed(column)}) d
  WHERE t.id = d.id AND d.position = 1
    AND NOT EXISTS (SELECT FROM ${table} o WHERE o.account_id = t.account_id AND o.${column} = d.composed)`;

const UP = [
  `INSERT INTO suppressions (id, account_id, channel, address, reason, source, note, message_log_id, contact_id, created_at)
   SELECT left(s.id, 9) || left(md5(s.id), 16), s.account_id, s.channel, normalize(s.address, NFC), s.reason, s.source, s.note,
     s.message_log_id, s.contact_id, s.created_at
   FROM suppressions s WHERE ${isDecomposed('s.address')}
   ON CONFLICT DO NOTHING`,
  composed('contacts', 'normalised_email'),
  composed('senders', 'normalised_email'),
  composed('users', 'normalised_email'),
  composed('lists', 'normalised_name'),
];
