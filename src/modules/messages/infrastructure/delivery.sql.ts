/**
 * $1 message ids, $2 new claim ids, $3 the account, $4 now, $5 end of the lease. The claim id doubles as the id of the
 * event that tells of a lost lease. The ids are repeated as `ANY($1)` so that only the partitions that hold them are read.
 * What is due within some seconds counts as due: the clocks of two hosts differ. The lease is what makes a message
 * `sending`; the log is only read. One that an event has moved on, because its provider took it after all, is not sent again.
 */
export const CLAIM = `
  WITH wanted AS (
    SELECT * FROM unnest($1::text[], $2::text[]) AS w (message_id, claim_id)
  ), due AS (
    SELECT p.message_id, w.claim_id, p.lease_ends_at IS NOT NULL AS was_leased, m.status = 'queued' AS is_waiting
    FROM pending_deliveries p JOIN wanted w ON w.message_id = p.message_id
    JOIN message_logs m ON m.id = p.message_id AND m.id = ANY($1)
    WHERE p.account_id = $3 AND p.next_attempt_at <= $4::timestamptz + interval '5 seconds' AND (p.lease_ends_at IS NULL OR p.lease_ends_at <= $4)
    ORDER BY p.message_id
    FOR UPDATE OF p SKIP LOCKED
  ), settled AS (
    DELETE FROM pending_deliveries p USING due WHERE p.message_id = due.message_id AND NOT due.is_waiting
  ), claimed AS (
    UPDATE pending_deliveries p
    SET claim_id = due.claim_id, lease_ends_at = $5, sweep_at = $5, attempts = p.attempts + 1
    FROM due WHERE p.message_id = due.message_id AND due.is_waiting
    RETURNING p.message_id, p.claim_id, p.attempts, due.was_leased
  ), told AS (
    INSERT INTO email_events (message_id, id, type, occurred_at, data)
    SELECT message_id, claim_id, 'delayed', $4, jsonb_build_object('reason', 'worker_lost', 'attempt', attempts - 1)
    FROM claimed WHERE was_leased
  )
  SELECT m.id, m.account_id AS "accountId", m.channel, c.claim_id AS "claimId", c.attempts AS attempt, m.recipient,
    m.normalised_recipient AS "normalisedRecipient", m.sender, m.sender_name AS "senderName", m.reply_to AS "replyTo",
    m.subject, m.created_at AS "createdAt", b.html, b.text, b.unsubscribe_url AS "unsubscribeUrl"
  FROM claimed c JOIN message_logs m ON m.id = c.message_id AND m.id = ANY($1)
  LEFT JOIN message_contents b ON b.message_id = m.id AND b.message_id = ANY($1)`;

/**
 * $1 message ids, $2 their claim ids, $3 end of the lease. Returns those that are still claimed. Locks in the order of
 * ids, as RECORD does.
 */
export const RENEW = `
  UPDATE pending_deliveries p SET lease_ends_at = $3, sweep_at = $3
  FROM (
    SELECT p.message_id
    FROM pending_deliveries p JOIN unnest($1::text[], $2::text[]) AS c (message_id, claim_id)
      ON p.message_id = c.message_id AND p.claim_id = c.claim_id
    ORDER BY p.message_id FOR UPDATE OF p
  ) standing
  WHERE p.message_id = standing.message_id
  RETURNING p.message_id AS id`;

/** $1: the outcomes as a JSON array, $2: their message ids. Returns those whose claim still stood. */
export const RECORD = `
  WITH outcome AS (
    SELECT * FROM json_to_recordset($1::json) AS o (
      "messageId" text, "claimId" text, status text, provider text, "providerMessageId" text, error text, at timestamptz,
      "nextAttemptAt" timestamptz, "attemptsGivenBack" smallint, "eventId" text, "eventType" text, data jsonb)
  ), standing AS (
    SELECT o.* FROM pending_deliveries p JOIN outcome o ON p.message_id = o."messageId" AND p.claim_id = o."claimId"
    WHERE p.message_id = ANY($2)
    ORDER BY p.message_id FOR UPDATE OF p
  ), settled AS (
    DELETE FROM pending_deliveries p USING standing s WHERE p.message_id = s."messageId" AND s."nextAttemptAt" IS NULL
  ), postponed AS (
    UPDATE pending_deliveries p
    SET next_attempt_at = s."nextAttemptAt", sweep_at = s."nextAttemptAt", claim_id = NULL, lease_ends_at = NULL,
      attempts = p.attempts - coalesce(s."attemptsGivenBack", 0)
    FROM standing s WHERE p.message_id = s."messageId" AND s."nextAttemptAt" IS NOT NULL
  ), told AS (
    INSERT INTO email_events (message_id, id, type, occurred_at, recipient, data)
    SELECT s."messageId", s."eventId", s."eventType", s.at, NULL, s.data FROM standing s WHERE s."eventType" IS NOT NULL
  )
  UPDATE message_logs m
  SET status = CASE WHEN m.status = 'queued' OR (s.status = 'bounced' AND m.status IN ('sent', 'delivered')) THEN s.status ELSE m.status END,
    provider = coalesce(s.provider, m.provider),
    provider_message_id = coalesce(s."providerMessageId", m.provider_message_id),
    error = CASE WHEN s."eventType" IS NULL AND s.status = 'queued' THEN m.error ELSE s.error END,
    sent_at = CASE WHEN s.status = 'sent' THEN s.at ELSE m.sent_at END
  FROM standing s WHERE m.id = s."messageId" AND m.id = ANY($2)
  RETURNING m.id, m.normalised_recipient AS recipient, m.contact_id AS "contactId", m.campaign_id AS "campaignId", m.clicks > 0 AND s.status = 'sent' AS "isToJudge"`;

/** $1 account, $2 message ids, $3 until when. */
export const POSTPONE = `
  UPDATE pending_deliveries p SET next_attempt_at = $3, sweep_at = $3
  FROM (
    SELECT message_id FROM pending_deliveries
    WHERE account_id = $1 AND message_id = ANY($2) AND lease_ends_at IS NULL AND next_attempt_at < $3
    ORDER BY message_id FOR UPDATE SKIP LOCKED
  ) idle
  WHERE p.message_id = idle.message_id`;

/** $1 now, $2 when to look at them again, $3 how many. */
export const TAKE_OVERDUE = `
  UPDATE pending_deliveries p SET sweep_at = $2
  FROM (
    SELECT message_id FROM pending_deliveries WHERE sweep_at <= $1 ORDER BY sweep_at LIMIT $3 FOR UPDATE SKIP LOCKED
  ) overdue
  WHERE p.message_id = overdue.message_id
  RETURNING p.message_id AS "messageId", p.account_id AS "accountId", p.channel`;
