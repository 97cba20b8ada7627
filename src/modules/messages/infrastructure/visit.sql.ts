/** $1: ids of messages. */
export const FIND_ACCOUNTS = 'SELECT id, account_id AS "accountId" FROM message_logs WHERE id = ANY($1)';

/**
 * $1: the ids of messages that are locked, $2 and $3: ids of events between which those lie that may be a second apart from
 * the clicks just recorded. `pace` is all clicks within a second before and after each one.
 */
export const DISCOUNT_AUTOMATED_CLICKS = `
  WITH clicks AS (
    SELECT e.message_id, e.id, e.occurred_at, e.data, min(e.data ->> 'url') OVER pace < max(e.data ->> 'url') OVER pace AS is_burst
    FROM email_events e
    WHERE e.message_id = ANY($1) AND e.id BETWEEN $2 AND $3 AND e.type = 'clicked'
    WINDOW pace AS (PARTITION BY e.message_id ORDER BY e.occurred_at
      RANGE BETWEEN interval '1 second' PRECEDING AND interval '1 second' FOLLOWING)
  ), flagged AS (
    UPDATE email_events e SET data = e.data || '{"automated": true}'
    FROM clicks c
    WHERE e.message_id = c.message_id AND e.id = c.id AND e.message_id = ANY($1)
      AND c.data -> 'automated' IS DISTINCT FROM 'true'
      AND (c.is_burst OR EXISTS (
        SELECT FROM email_events d WHERE d.message_id = c.message_id AND d.message_id = ANY($1) AND d.type = 'delivered'
          AND d.occurred_at BETWEEN c.occurred_at - interval '1 second' AND c.occurred_at + interval '1 second'))
    RETURNING e.message_id
  )
  UPDATE message_logs m SET clicks = m.clicks - f.clicks
  FROM (SELECT message_id, count(*) AS clicks FROM flagged GROUP BY message_id) f
  WHERE m.id = f.message_id AND m.id = ANY($1)`;
