import type pg from 'pg';

import { idPrefix, newId } from '../../src/shared/ids.js';
import { DAY_MS } from '../../src/shared/utc.js';

export interface History {
  messages: number;
  days: number;
  campaignId: string;
  /** Number of messages of the campaign, which are consecutive. */
  campaignSize: number;
  /** In the subject of one message in 100,000. */
  rareWord: string;
}

const CHUNK = 50_000;

/**
 * Seeds messages of one account over the past 13 months, each with its timeline: 90 % from one key, most delivered, a
 * third of these opened. They are inserted in chronological order, so that the triggers of the service run as in
 * production.
 */
export async function seedHistory(
  pool: pg.Pool,
  { accountId, apiKeyId }: { accountId: string; apiKeyId: string },
  messages: number,
): Promise<History> {
  const history = { messages, days: 390, campaignId: newId(new Date()), campaignSize: 100_000, rareWord: 'zyzzyva' };
  await pool.query(MAKE_ID);
  const end = Date.now() - 60_000;
  const step = (history.days * DAY_MS) / messages;
  for (let at = 0; at < messages; at += CHUNK) {
    const from = end - (messages - at) * step;
    await pool.query(MESSAGES, [accountId, apiKeyId, history.campaignId, from, step, CHUNK, at, history.campaignSize]);
    await pool.query(EVENTS, [idPrefix(new Date(from)), idPrefix(new Date(from + CHUNK * step))]);
  }
  return history;
}

/** Makes an id of the service from a time in milliseconds and a number. */
const MAKE_ID = `
  CREATE OR REPLACE FUNCTION bench_id(ms bigint, n bigint) RETURNS text IMMUTABLE LANGUAGE sql AS $$
    SELECT 'c' || string_agg(substr('0123456789abcdefghijklmnopqrstuvwxyz', (trunc(ms / (36::numeric ^ p)) % 36)::integer + 1, 1), '' ORDER BY p DESC)
      || substr(md5(n::text), 1, 16) FROM generate_series(0, 7) p $$`;

/**
 * $1: account, $2: key, $3: campaign, $4: time of the first message in ms, $5: interval in ms, $6: count, $7: number of
 * earlier messages, $8: size of the campaign.
 */
const MESSAGES = `
  INSERT INTO message_logs (id, account_id, channel, status, recipient, normalised_recipient, sender, subject, provider,
    provider_message_id, api_key_id, campaign_id, opens, clicks, created_at, sent_at)
  SELECT bench_id(ms, n), $1, 'email', status, recipient, recipient, 'shop@example.com',
    CASE WHEN n % 100000 = 50000 THEN 'Your zyzzyva has been shipped' ELSE 'Your order ' || n || ' has been shipped' END,
    'smtp', md5(n::text), CASE WHEN n % 10 = 0 THEN NULL ELSE $2 END, CASE WHEN n < $8 THEN $3 END,
    CASE WHEN status = 'delivered' AND n % 3 = 0 THEN 1 + n % 2 ELSE 0 END,
    CASE WHEN status = 'delivered' AND n % 15 = 0 THEN 1 ELSE 0 END, at, at + interval '1 second'
  FROM (
    SELECT n, ms, to_timestamp(ms / 1000.0) AS at, substr(md5((n % 200000)::text), 1, 10) || '@example.org' AS recipient,
      CASE WHEN n % 50 = 1 THEN 'bounced' WHEN n % 1000 = 2 THEN 'complained' WHEN n % 200 = 3 THEN 'failed'
        WHEN n % 500 = 4 THEN 'suppressed' WHEN n % 25 = 5 THEN 'sent' ELSE 'delivered' END AS status
    FROM (SELECT $7::bigint + i AS n, ($4::float8 + i * $5::float8)::bigint AS ms FROM generate_series(0, $6::integer - 1) i) numbered
  ) made`;

/** $1 and $2: range of message ids. */
const EVENTS = `
  INSERT INTO email_events (message_id, id, type, occurred_at, recipient, data)
  SELECT m.id, left(m.id, 22) || e.suffix, e.type, m.created_at + e.after, m.recipient, '{}'
  FROM message_logs m CROSS JOIN (VALUES
    ('001', 'sent', interval '1 second'), ('002', 'delivered', interval '3 seconds'), ('003', 'bounced', interval '3 seconds'),
    ('004', 'complained', interval '1 hour'), ('005', 'opened', interval '2 hours'), ('006', 'clicked', interval '2 hours')
  ) AS e (suffix, type, after)
  WHERE m.id >= $1 AND m.id < $2 AND CASE e.type WHEN 'sent' THEN m.status IN ('sent', 'delivered', 'bounced', 'complained')
    WHEN 'delivered' THEN m.status IN ('delivered', 'complained') WHEN 'opened' THEN m.opens > 0
    WHEN 'clicked' THEN m.clicks > 0 ELSE m.status = e.type END
  ON CONFLICT DO NOTHING`;
