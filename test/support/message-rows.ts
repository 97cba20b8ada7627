import { MessagePartitions } from '../../src/modules/messages/application/ports/message-maintenance.js';
import type { MessageStatus } from '../../src/modules/messages/domain/message-log.js';
import type { Channel } from '../../src/shared/channel.js';
import { newId } from '../../src/shared/ids.js';
import { monthOf } from '../../src/shared/utc.js';
import type { TestService } from './service.js';

export interface MessageRow {
  /** `queued` and `sending` are stored with a pending delivery: leased, for its first attempt, for `sending`. */
  status: MessageStatus;
  channel: Channel;
  recipient: string;
  sender: string;
  subject: string | null;
  apiKeyId: string | null;
  campaignId: string | null;
  topicId: string | null;
  opens: number;
  clicks: number;
  createdAt: Date;
}

/** Inserts messages with one statement, and missing partitions. Returns the ids in the order of the rows. */
export async function insertMessages(
  service: TestService,
  accountId: string,
  rows: readonly Partial<MessageRow>[],
): Promise<string[]> {
  const now = service.clock.now();
  const messages = rows.map((row) => {
    const createdAt = row.createdAt ?? now;
    return { id: newId(createdAt), ...USUAL, createdAt, ...row };
  });
  const partitions = service.app.get(MessagePartitions, { strict: false });
  for (const month of new Set(messages.map(({ createdAt }) => monthOf(createdAt).getTime())))
    await partitions.ensure(new Date(month), 1);
  await service.query(INSERT, [JSON.stringify(messages), accountId]);
  return messages.map(({ id }) => id);
}

const USUAL = {
  status: 'sent',
  channel: 'email',
  recipient: 'ada@example.org',
  sender: 'shop@example.com',
  subject: 'Hello',
  apiKeyId: null,
  campaignId: null,
  topicId: null,
  opens: 0,
  clicks: 0,
} as const satisfies Partial<MessageRow>;

/** $1: the messages as a JSON array, $2: their account. */
const INSERT = `
  WITH wanted AS (
    SELECT * FROM json_to_recordset($1::json) AS r (
      id text, channel text, status text, recipient text, sender text, subject text, "apiKeyId" text, "campaignId" text,
      "topicId" text, opens integer, clicks integer, "createdAt" timestamptz)
  ), log AS (
    INSERT INTO message_logs (id, account_id, channel, status, recipient, normalised_recipient, sender, subject, api_key_id,
      campaign_id, topic_id, opens, clicks, created_at)
    SELECT id, $2, channel, CASE status WHEN 'sending' THEN 'queued' ELSE status END, recipient, lower(recipient), sender,
      subject, "apiKeyId", "campaignId", "topicId", opens, clicks, "createdAt"
    FROM wanted
  )
  INSERT INTO pending_deliveries (message_id, account_id, channel, next_attempt_at, sweep_at, lease_ends_at, attempts)
  SELECT id, $2, channel, '-infinity', 'infinity', CASE status WHEN 'sending' THEN 'infinity'::timestamptz END,
    CASE status WHEN 'sending' THEN 1 ELSE 0 END
  FROM wanted WHERE status IN ('queued', 'sending')`;
