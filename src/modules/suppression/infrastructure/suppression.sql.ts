const COLUMNS = `s.id, s.account_id AS "accountId", s.channel, s.address, s.reason, s.source, s.note,
  s.message_log_id AS "messageLogId", s.contact_id AS "contactId", s.created_at AS "createdAt"`;

/** One row per look-up, in order: the join is on a unique key. */
export const ARE_SUPPRESSED = `
  SELECT s.id IS NOT NULL AS suppressed
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (account_id, channel, address, place)
  LEFT JOIN suppressions s
    ON s.account_id = asked.account_id AND s.channel = asked.channel AND s.address = asked.address
  ORDER BY asked.place`;

export const FIND = `
  SELECT ${COLUMNS} FROM suppressions s WHERE s.account_id = $1 AND s.channel = $2 AND s.address = $3`;

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
  INSERT INTO suppressions AS standing
    (id, account_id, channel, address, reason, source, note, message_log_id, contact_id, created_at)
  SELECT DISTINCT ON (account_id, channel, address)
    id, account_id, channel, address, reason, source, note, message_log_id, contact_id, created_at
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::text[], $10::timestamptz[]) WITH ORDINALITY
    AS cause (id, account_id, channel, address, reason, source, note, message_log_id, contact_id, created_at, place)
  ORDER BY account_id, channel, address, ${RANK('cause')} DESC NULLS LAST, ${MESSAGE('cause')} COLLATE "C",
    ${SOURCE('cause')}, place
  ON CONFLICT (account_id, channel, address) DO UPDATE
  SET reason = excluded.reason, source = excluded.source, message_log_id = excluded.message_log_id,
    contact_id = excluded.contact_id
  WHERE (${RANK('excluded')}, ${MESSAGE('standing')}, ${SOURCE('standing')}) >
    (${RANK('standing')}, ${MESSAGE('excluded')}, ${SOURCE('excluded')})
  RETURNING id`;

/** `strpos` knows no wildcards. */
export const LIST = `
  SELECT ${COLUMNS}
  FROM suppressions s
  WHERE s.account_id = $1 AND ($2::text IS NULL OR s.channel = $2) AND ($3::text IS NULL OR s.reason = $3)
    AND ($4::text IS NULL OR strpos(s.address, $4) > 0)
  ORDER BY s.id DESC LIMIT $5 OFFSET $6`;

export const COUNT = `
  SELECT count(*)::integer AS total
  FROM suppressions s
  WHERE s.account_id = $1 AND ($2::text IS NULL OR s.channel = $2) AND ($3::text IS NULL OR s.reason = $3)
    AND ($4::text IS NULL OR strpos(s.address, $4) > 0)`;

export const LIST_AFTER = `
  SELECT ${COLUMNS} FROM suppressions s WHERE s.account_id = $1 AND s.id > $2 ORDER BY s.id LIMIT $3`;

export const REMOVE = `DELETE FROM suppressions s WHERE s.account_id = $1 AND s.id = $2 RETURNING ${COLUMNS}`;
