export const COLUMNS = `s.id, s.account_id AS "accountId", s.channel, coalesce(s.address, '') AS address, s.reason, s.source, s.note,
  s.message_log_id AS "messageLogId", s.contact_id AS "contactId", s.created_at AS "createdAt"`;

/** One row per look-up, in order: the join is on a unique key. An address that was erased is known by its hash alone. */
export const ARE_SUPPRESSED = `
  SELECT s.id IS NOT NULL OR EXISTS (
    SELECT FROM suppressions e
    WHERE e.account_id = asked.account_id AND e.channel = asked.channel AND e.address_hash = asked.hash) AS suppressed
  FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) WITH ORDINALITY AS asked (account_id, channel, address, hash, place)
  LEFT JOIN suppressions s
    ON s.account_id = asked.account_id AND s.channel = asked.channel AND s.address = asked.address
  ORDER BY asked.place`;

export const FIND = `
  SELECT ${COLUMNS} FROM suppressions s WHERE s.account_id = $1 AND s.channel = $2 AND (s.address = $3 OR s.address_hash = $4)`;

export const GET = `SELECT ${COLUMNS} FROM suppressions s WHERE s.account_id = $1 AND s.id = $2`;

export const REASONS = `
  SELECT s.address, s.reason FROM suppressions s WHERE s.account_id = $1 AND s.channel = $2 AND s.address = ANY($3)
  UNION ALL
  SELECT asked.address, 'erased' FROM unnest($3::text[], $4::bytea[]) AS asked (address, hash)
  JOIN suppressions e ON e.account_id = $1 AND e.channel = $2 AND e.address_hash = asked.hash`;

/** Those by which the recipient, or a provider, suppressed an address. What an operator entered stays as it is. */
const IS_AUTOMATIC = (row: string) => `${row}.source IN ('provider', 'one_click', 'form')`;
const RANK = (row: string) =>
  `CASE WHEN ${IS_AUTOMATIC(row)} THEN array_position(ARRAY['manual', 'unsubscribed', 'bounced', 'complained'], ${row}.reason) END`;
const SOURCE = (row: string) => `array_position(ARRAY['one_click', 'form', 'provider'], ${row}.source)`;
/** After every id, for what belongs to no message. */
const MESSAGE = (row: string) => `coalesce(${row}.message_log_id, 'd')`;

/**
 * Sorted, so that two calls with the same addresses wait for one another in one order. In an entry that stands, the cause that
 * tells more replaces the other, of equal ones that of the earlier message: so the end does not depend on which came first.
 */
export const ADD_ACROSS_ACCOUNTS = `
  WITH cause AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::text[], $10::timestamptz[], $11::bytea[]) WITH ORDINALITY
    AS c (id, account_id, channel, address, reason, source, note, message_log_id, contact_id, created_at, hash, place)
  ), standing AS MATERIALIZED (
    SELECT s.id, s.reason FROM (SELECT DISTINCT account_id, channel, address FROM cause) c
    JOIN suppressions s ON s.account_id = c.account_id AND s.channel = c.channel AND s.address = c.address
  ), written AS (
    INSERT INTO suppressions AS s
      (id, account_id, channel, address, reason, source, note, message_log_id, contact_id, created_at)
    SELECT DISTINCT ON (account_id, channel, address)
      id, account_id, channel, address, reason, source, note, message_log_id, contact_id, created_at
    FROM cause
    WHERE NOT EXISTS (
      SELECT FROM suppressions e
      WHERE e.account_id = cause.account_id AND e.channel = cause.channel AND e.address_hash = cause.hash)
    ORDER BY account_id, channel, address, ${RANK('cause')} DESC NULLS LAST, ${MESSAGE('cause')} COLLATE "C",
      ${SOURCE('cause')}, place
    ON CONFLICT (account_id, channel, address) DO UPDATE
    SET reason = excluded.reason, source = excluded.source, message_log_id = excluded.message_log_id,
      contact_id = excluded.contact_id, note = coalesce(s.note, excluded.note)
    WHERE (s.source = 'sms_sync' AND excluded.source <> 'sms_sync')
      OR (${RANK('excluded')}, ${MESSAGE('s')}, ${SOURCE('s')}) > (${RANK('s')}, ${MESSAGE('excluded')}, ${SOURCE('excluded')})
    RETURNING ${COLUMNS}
  )
  SELECT w.*, standing.reason AS "formerReason" FROM written w LEFT JOIN standing ON standing.id = w.id`;

export const REMOVE = `DELETE FROM suppressions s WHERE s.account_id = $1 AND s.id = $2 RETURNING ${COLUMNS}`;

/** $1 account, $2 email, $3 its hash, $4 contact. */
export const ERASE_ADDRESS = `
  UPDATE suppressions s SET address = NULL, address_hash = $3, note = NULL, contact_id = $4
  WHERE s.account_id = $1 AND s.channel = 'email' AND s.address = $2 RETURNING s.id`;

export const ADD_ERASED = `
  INSERT INTO suppressions (id, account_id, channel, address_hash, reason, source, contact_id, created_at)
  VALUES ($1, $2, 'email', $3, 'manual', 'dashboard', $4, $5)`;

/** $1 account, $2 contact. */
export const KNOWS_CONTACT = `
  SELECT s.id FROM suppressions s WHERE s.account_id = $1 AND s.contact_id = $2 AND s.address_hash IS NOT NULL`;

/** $1 account, $2 numbers. What has another cause as well has that as its source. */
export const REMOVE_SYNCED = `
  DELETE FROM suppressions s
  WHERE s.account_id = $1 AND s.channel = 'sms' AND s.source = 'sms_sync' AND s.address = ANY($2) RETURNING s.id`;
