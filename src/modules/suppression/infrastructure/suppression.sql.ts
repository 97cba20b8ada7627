const COLUMNS = `s.id, s.account_id AS "accountId", s.channel, s.address, s.reason, s.source, s.note,
  s.message_log_id AS "messageLogId", s.contact_id AS "contactId", s.created_at AS "createdAt"`;

/** One row per look-up, in order: the join is on a unique key. */
export const ARE_SUPPRESSED = `
  SELECT s.id IS NOT NULL AS suppressed
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (account_id, channel, address, place)
  LEFT JOIN suppressions s
    ON s.account_id = asked.account_id AND s.channel = asked.channel AND s.address = asked.address
  ORDER BY asked.place`;

/** The update changes nothing: it makes the statement return, and wait for, the row that stands. */
export const ADD_OR_FIND = `
  INSERT INTO suppressions AS s
    (id, account_id, channel, address, reason, source, note, message_log_id, contact_id, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (account_id, channel, address) DO UPDATE SET address = excluded.address
  RETURNING ${COLUMNS}`;

/** Sorted, so that two imports of the same addresses wait for one another in one order. */
export const ADD_ALL = `
  WITH added AS (
    INSERT INTO suppressions (id, account_id, channel, address, reason, source, note, created_at)
    SELECT id, $1, channel, address, reason, source, note, created_at
    FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
      WITH ORDINALITY AS row (id, channel, address, reason, source, note, created_at, place)
    ORDER BY channel, address, place
    ON CONFLICT (account_id, channel, address) DO NOTHING
    RETURNING 1
  )
  SELECT count(*)::integer AS added FROM added`;

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
