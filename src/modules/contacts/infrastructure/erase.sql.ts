import { ERASED_RECIPIENT } from '../../messages/index.js';

/** All places where something about a recipient is kept. Where a table is added that holds some, it is added here too. */

export const OPEN_ERASURE = `
  INSERT INTO contact_erasures (contact_id, account_id, sealed_email, due_at) VALUES ($2, $1, $3, $4)`;

export const FIND_ERASURE = `
  SELECT sealed_email AS sealed FROM contact_erasures WHERE account_id = $1 AND contact_id = $2`;

export const LIST_DUE_ERASURES = `
  SELECT account_id AS "accountId", contact_id AS "contactId"
  FROM contact_erasures WHERE due_at <= $1 ORDER BY due_at LIMIT 100`;

export const POSTPONE_ERASURE = `UPDATE contact_erasures SET due_at = $3 WHERE account_id = $1 AND contact_id = $2`;

export const CLOSE_ERASURE = `DELETE FROM contact_erasures WHERE account_id = $1 AND contact_id = $2`;

/** $1 account, $2 address, $3 pattern. By the index of search; also what was indexed while its message was being erased. */
export const FIND_MESSAGES_BY_SEARCH = `
  SELECT m.id FROM message_logs m
  WHERE m.account_id = $1 AND m.normalised_recipient IN ($2, '${ERASED_RECIPIENT}')
    AND m.id = ANY (ARRAY(SELECT s.message_id FROM message_searches s WHERE s.account_id = $1 AND s.text LIKE $3))`;

/** All messages of the account are read: for an address that messages may spell in letters that search does not know. */
export const FIND_MESSAGES_BY_RECIPIENT = `
  SELECT m.id FROM message_logs m WHERE m.account_id = $1 AND m.normalised_recipient = $2`;

/** Nobody claims, records or cancels these until the transaction ends. */
export const HOLD_DELIVERIES = `
  SELECT p.message_id AS id, p.lease_ends_at IS NOT NULL AS "isLeased" FROM pending_deliveries p
  WHERE p.account_id = $1 AND p.message_id = ANY ($2) ORDER BY p.message_id FOR UPDATE`;

/** $1 account, $2 message ids, in that order in which others lock them too. */
export const HOLD_MESSAGES = `
  SELECT m.id FROM message_logs m WHERE m.account_id = $1 AND m.id = ANY ($2) ORDER BY m.id FOR UPDATE`;

/** $1 account, $2 message ids. Counters, times and statuses stay. */
export const ERASE_MESSAGES = [
  `DELETE FROM pending_deliveries WHERE account_id = $1 AND message_id = ANY ($2)`,
  `UPDATE message_logs m SET recipient = '${ERASED_RECIPIENT}', normalised_recipient = '${ERASED_RECIPIENT}', subject = NULL,
    reply_to = NULL, error = CASE WHEN m.status = 'queued' THEN 'The recipient was erased' END,
    status = CASE WHEN m.status = 'queued' THEN 'suppressed' ELSE m.status END
  WHERE m.account_id = $1 AND m.id = ANY ($2)`,
  `DELETE FROM message_contents c USING message_logs m WHERE m.account_id = $1 AND m.id = ANY ($2)
    AND c.message_id = m.id AND c.message_id = ANY ($2)`,
  `UPDATE email_events e SET recipient = NULL, data = impersonal_event_data(e.data) FROM message_logs m
  WHERE m.account_id = $1 AND m.id = ANY ($2) AND e.message_id = m.id AND e.message_id = ANY ($2)`,
  `UPDATE message_search_texts t SET text = message_search_text(m.recipient, m.sender, m.subject) FROM message_logs m
  WHERE m.account_id = $1 AND m.id = ANY ($2) AND t.message_id = m.id AND t.message_id = ANY ($2)`,
];

/** $1 account, $2 normalised address. Of others nothing goes, though their addresses have this one in them. */
export const ERASE_EVENTS = [
  `DELETE FROM unmatched_events WHERE account_id = $1 AND $2 IN (lower(recipient), lower(data->>'email'))`,
  `DELETE FROM outbox_events WHERE account_id = $1 AND lower(data->>'email') = $2`,
  `DELETE FROM webhook_deliveries d USING webhook_endpoints w WHERE w.account_id = $1 AND d.endpoint_id = w.id
    AND CASE WHEN position($2 IN lower(d.body)) > 0 THEN lower(d.body::jsonb->'data'->>'email') = $2 END`,
];

/** $1 account, $2 regular expression for the address, as a whole, in text that others wrote. */
export const ERASE_MENTIONS = [
  `DELETE FROM unmatched_events WHERE account_id = $1 AND recipient IS NULL
    AND EXISTS (SELECT FROM jsonb_each_text(data) AS told (key, value) WHERE lower(told.value) ~ $2)`,
  `UPDATE webhook_attempts a SET response_body = NULL FROM webhook_deliveries d, webhook_endpoints w
  WHERE w.account_id = $1 AND d.endpoint_id = w.id AND a.delivery_id = d.id AND lower(a.response_body) ~ $2`,
  `UPDATE contact_imports SET errors = (
    SELECT jsonb_agg(CASE WHEN lower(reported.error->>'email') ~ $2 THEN reported.error || '{"email": null}' ELSE reported.error END ORDER BY reported.number)
    FROM jsonb_array_elements(errors) WITH ORDINALITY AS reported (error, number))
  WHERE account_id = $1 AND EXISTS (SELECT FROM jsonb_array_elements(errors) AS reported (error) WHERE lower(reported.error->>'email') ~ $2)`,
];
