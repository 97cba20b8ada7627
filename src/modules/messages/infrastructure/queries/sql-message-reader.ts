import { Injectable } from '@nestjs/common';

import { Database } from '../../../../platform/database/database.js';
import { jsonFields } from '../../../../platform/database/columns.js';
import { Parameters } from '../../../../platform/database/parameters.js';
import {
  type CampaignStatusCount,
  MessageReader,
  type MessageSlice,
  type MessageTimeline,
} from '../../application/ports/message-reader.js';
import type { AggregateFilter, MessageFilter } from '../../domain/message-filter.js';
import type { EmailEvent, MessageLog, StoredContent } from '../../domain/message-log.js';
import { SOURCE_NUMBER } from '../../domain/message-group.js';
import type { StatusCount } from '../../domain/message-totals.js';
import { EmailEventSchema } from '../email-event.schema.js';
import { nearGroup } from '../groups/group-storage.js';
import { COUNT_BY_CAMPAIGN, countMessages } from './count.sql.js';
import { idRange, MESSAGE_COLUMNS, newest, toSlice } from './message-rows.sql.js';
import { UnfilteredMessagePages } from './unfiltered-message-pages.js';
import { SqlMessageSearch } from './sql-message-search.js';
import { SqlTaggedMessages } from './sql-tagged-messages.js';
import { Trigrams } from './trigrams.js';

/** Dates are strings in JSON. */
type InJson<T> = { [K in keyof T]: T[K] extends Date ? string : T[K] };

type Found = MessageLog & Pick<MessageTimeline, 'attachments' | 'copies'> & { events: InJson<EmailEvent>[] };

@Injectable()
export class SqlMessageReader extends MessageReader {
  constructor(
    private readonly database: Database,
    private readonly search: SqlMessageSearch,
    private readonly tagged: SqlTaggedMessages,
    private readonly trigrams: Trigrams,
    private readonly unfilteredPages: UnfilteredMessagePages,
  ) {
    super();
  }

  async find(accountId: string, id: string, apiKeyId: string | null): Promise<MessageLog | null> {
    const [message] = await this.database.query<MessageLog>(FIND, [accountId, id, apiKeyId]);
    return message ?? null;
  }

  async findResent(accountId: string, id: string): Promise<string | null> {
    const [message] = await this.database.query<{ id: string }>(FIND_RESENT, [accountId, id]);
    return message?.id ?? null;
  }

  async isOfCampaign(accountId: string, id: string): Promise<boolean> {
    return (await this.database.query(OF_CAMPAIGN, [accountId, id])).length > 0;
  }

  async content(accountId: string, messageId: string): Promise<StoredContent | null> {
    const [content] = await this.database.query<StoredContent>(CONTENT, [accountId, messageId]);
    return content ?? null;
  }

  async findWithTimeline(accountId: string, id: string, apiKeyId: string | null): Promise<MessageTimeline | null> {
    const [row] = await this.database.query<Found>(FIND_WITH_TIMELINE, [accountId, id, apiKeyId]);
    if (!row) return null;
    const { events, attachments, copies, ...message } = row;
    const dated = events.map((event) => ({ ...event, occurredAt: new Date(event.occurredAt) }));
    return { message, events: dated, attachments, copies };
  }

  async list(accountId: string, filter: MessageFilter, beforeId: string | null, limit: number): Promise<MessageSlice> {
    const { search, tag } = filter;
    if (tag !== null) return this.tagged.list(accountId, { ...filter, tag }, beforeId, limit);
    if (search !== null) return this.search.list(accountId, { ...filter, search }, beforeId, limit);
    const newestRows = await this.unfilteredPages.read(accountId, filter, beforeId, limit + 1);
    if (newestRows) return toSlice(newestRows, limit);
    const parameters = new Parameters(accountId);
    const rows = await this.database.read<MessageLog>(
      `SELECT ${MESSAGE_COLUMNS}
       FROM (${newest(parameters, filter, idRange(filter, beforeId), limit + 1)}) m
       ORDER BY m.id DESC`,
      parameters.values,
    );
    return toSlice(rows, limit);
  }

  async count(accountId: string, filter: AggregateFilter): Promise<StatusCount[]> {
    const { text, values } = countMessages(accountId, filter, await this.trigrams.areUnicode());
    const counts = await this.database.read<StatusCount>(text, values);
    return counts.filter(({ status }) => filter.statuses?.includes(status) ?? true);
  }

  countByCampaign(accountId: string, campaignIds: readonly string[]): Promise<CampaignStatusCount[]> {
    return this.database.read<CampaignStatusCount>(COUNT_BY_CAMPAIGN, [accountId, campaignIds]);
  }
}

const find = (more = '') => `
  SELECT ${MESSAGE_COLUMNS}${more} FROM message_logs m
  WHERE m.account_id = $1 AND m.id = $2 AND ($3::text IS NULL OR m.api_key_id = $3)`;

/** $1 account, $2 message, $3 the key that must have sent it, or null. */
const FIND = find();

/** Limits what is read of a timeline: events, and characters of their data. Only endless reports have more. */
const MAX_TIMELINE = { events: 2_500, length: 2_000_000 };

const FIND_WITH_TIMELINE = find(`, coalesce((
    SELECT json_agg(json_build_object(${jsonFields(EmailEventSchema, 'e')}) ORDER BY e.occurred_at, e.id)
    FROM (
      SELECT *, sum(length(data::text)) OVER (ORDER BY occurred_at, id) AS read_length
      FROM (
        SELECT * FROM email_events WHERE message_id = $2 ORDER BY occurred_at, id LIMIT ${MAX_TIMELINE.events}
      ) oldest
    ) e
    WHERE e.read_length <= ${MAX_TIMELINE.length}
  ), '[]') AS events, coalesce((
    SELECT json_agg(json_build_object('number', a.number, 'filename', a.filename, 'contentType', a.content_type,
      'contentId', a.content_id, 'size', a.size) ORDER BY a.number)
    FROM message_attachments a
    WHERE a.group_id = coalesce(m.group_id, m.id) AND a.account_id = $1 AND a.part = 0 AND a.number > ${SOURCE_NUMBER}
      AND EXISTS (SELECT FROM message_contents c WHERE c.message_id = m.id)
  ), '[]') AS attachments, coalesce((
    SELECT json_agg(json_build_object('id', g.id, 'role', g.role, 'recipient', g.recipient, 'status', g.status)
      ORDER BY g.id)
    FROM message_logs g
    WHERE ${nearGroup('g.id', 'm.group_id')} AND g.account_id = $1 AND g.group_id = m.group_id AND g.id <> m.id
  ), '[]') AS copies`);

const FIND_RESENT = `
  SELECT m.id FROM message_logs m WHERE m.account_id = $1 AND m.resent_from = $2 ORDER BY m.id LIMIT 1`;

/** $1 account, $2 message. A resent message is younger than the one that it repeats, so that this ends. */
const OF_CAMPAIGN = `
  WITH RECURSIVE repeated (id, campaign_id, resent_from) AS (
    SELECT m.id, m.campaign_id, m.resent_from FROM message_logs m WHERE m.account_id = $1 AND m.id = $2
    UNION ALL
    SELECT m.id, m.campaign_id, m.resent_from FROM repeated r
    JOIN message_logs m ON m.account_id = $1 AND m.id = r.resent_from AND m.id < r.id
  )
  SELECT FROM repeated WHERE campaign_id IS NOT NULL`;

const CONTENT = `
  SELECT c.html, c.text, c.unsubscribe_url AS "unsubscribeUrl", c.placeholders, c.headers, c.visible
  FROM message_contents c
  WHERE c.message_id = $2 AND EXISTS (SELECT 1 FROM message_logs m WHERE m.id = $2 AND m.account_id = $1)`;
