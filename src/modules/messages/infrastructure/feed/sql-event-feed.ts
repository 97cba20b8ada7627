import { Injectable } from '@nestjs/common';

import { selectList } from '../../../../platform/database/columns.js';
import { Database } from '../../../../platform/database/database.js';
import type { EventType } from '../../../../shared/event-types.js';
import { EventFeed, type FeedNews, type FeedSlice } from '../../application/ports/event-feed.js';
import { type EventFilter, FEED_START, type FeedEvent, type FeedPosition } from '../../domain/event-feed.js';
import type { EmailEvent } from '../../domain/message-log.js';
import { EmailEventSchema } from '../email-event.schema.js';
import { END_OF_FEED } from './feed-position.sql.js';

/** Events that one page reads for a filter: a few milliseconds. */
const MAX_SCANNED = 500;
/** New events of an account that the news describes; with more, all waiting requests look for themselves. */
const MAX_NEWS = 200;

interface PositionRow {
  position: string;
  id: string;
}

interface LastRow {
  scanned: number;
  lastPosition: string;
  lastId: string;
}

type EventRow = LastRow & PositionRow & EmailEvent;
type FoundRow = EventRow | (LastRow & { id: null });

interface NewsRow {
  accountId: string;
  lastPosition: string;
  lastId: string;
  scanned: number;
  types: EventType[];
  apiKeyIds: (string | null)[];
}

/** Reads the primary only: a page costs no more than asking how far a replica would have to be. */
@Injectable()
export class SqlEventFeed extends EventFeed {
  constructor(private readonly database: Database) {
    super();
  }

  async end(accountId: string): Promise<FeedPosition> {
    const [last] = await this.database.readFromPrimary<PositionRow>(END, [accountId]);
    return last ? toPosition(last) : FEED_START;
  }

  async read(accountId: string, filter: EventFilter, after: FeedPosition, limit: number): Promise<FeedSlice> {
    const { apiKeyId, types } = filter;
    const scanned = apiKeyId === null && types === null ? limit : MAX_SCANNED;
    const values = [accountId, String(after.transaction), after.id, scanned, limit, types, apiKeyId];
    const rows = await this.database.readFromPrimary<FoundRow>(READ, values);
    const items = rows.filter(isEvent).map(toEvent);
    const [first] = rows;
    const lastItem = items.at(-1);
    if (items.length === limit && lastItem) return { items, end: lastItem.position, isCut: true };
    return { items, end: first ? toLast(first) : after, isCut: first?.scanned === scanned };
  }

  async readNewsAcrossAccounts(after: ReadonlyMap<string, FeedPosition>): Promise<ReadonlyMap<string, FeedNews>> {
    const positions = [...after.values()];
    const rows = await this.database.readFromPrimary<NewsRow>(NEWS, [
      [...after.keys()],
      positions.map(({ transaction }) => String(transaction)),
      positions.map(({ id }) => id),
    ]);
    return new Map(
      rows.map((row) => [
        row.accountId,
        {
          types: new Set(row.types),
          apiKeyIds: new Set(row.apiKeyIds),
          end: toLast(row),
          isCut: row.scanned === MAX_NEWS,
        },
      ]),
    );
  }
}

const isEvent = (row: FoundRow): row is EventRow => row.id !== null;

const toEvent = ({ messageId, id, type, occurredAt, recipient, data, position }: EventRow): FeedEvent => ({
  ...{ messageId, id, type, occurredAt, recipient, data },
  position: toPosition({ position, id }),
});

const toPosition = ({ position, id }: PositionRow): FeedPosition => ({ transaction: BigInt(position), id });

const toLast = ({ lastPosition, lastId }: Pick<LastRow, 'lastPosition' | 'lastId'>): FeedPosition =>
  toPosition({ position: lastPosition, id: lastId });

/** $1 account. */
const END = `
  SELECT e.position, e.id FROM email_events e WHERE e.account_id = $1 AND e.position < ${END_OF_FEED}
  ORDER BY e.position DESC, e.id DESC LIMIT 1`;

/** A column of the message of the event `s`. Not a join, for which the planner might read the whole log. */
const ofMessage = (column: string) =>
  `(SELECT m.${column} FROM message_logs m WHERE m.id = s.message_id AND m.account_id = $1)`;

/** A `sent` event of the provider that repeats what the service recorded; the timeline does not show it either. */
const IS_ECHO = `(s.type = 'sent' AND ${ofMessage('sent_at')} <> s.occurred_at) IS TRUE`;

/**
 * $1 account, $2 and $3 the position, $4 how many events to scan, $5 how many to return, $6 their types, or null, $7
 * the key of their messages, or null. The last scanned event comes with each row, and alone if none matches.
 */
const READ = `
  WITH scanned AS MATERIALIZED (
    SELECT e.* FROM email_events e
    WHERE e.account_id = $1 AND (e.position, e.id) > ($2::bigint, $3) AND e.position < ${END_OF_FEED}
    ORDER BY e.position, e.id LIMIT $4
  ), matching AS (
    SELECT s.* FROM scanned s
    WHERE ($6::text[] IS NULL OR s.type = ANY ($6)) AND ($7::text IS NULL OR ${ofMessage('api_key_id')} = $7)
      AND NOT ${IS_ECHO}
    ORDER BY s.position, s.id LIMIT $5
  )
  SELECT l.scanned, l.position AS "lastPosition", l.id AS "lastId", m.position, ${selectList(EmailEventSchema, 'm')}
  FROM (
    SELECT position, id, (count(*) OVER ())::integer AS scanned FROM scanned ORDER BY position DESC, id DESC LIMIT 1) l
  LEFT JOIN matching m ON true
  ORDER BY m.position, m.id`;

/** $1 accounts, $2 and $3 their positions. */
const NEWS = `
  SELECT a.account_id AS "accountId", n.*
  FROM unnest($1::text[], $2::bigint[], $3::text[]) AS a (account_id, position, id)
  CROSS JOIN LATERAL (
    SELECT count(*)::integer AS scanned, array_agg(DISTINCT s.type) AS types,
      array_agg(DISTINCT (
        SELECT m.api_key_id FROM message_logs m WHERE m.id = s.message_id AND m.account_id = a.account_id
      )) AS "apiKeyIds",
      max(s.position) AS "lastPosition", (array_agg(s.id ORDER BY s.position DESC, s.id DESC))[1] AS "lastId"
    FROM (
      SELECT e.position, e.id, e.type, e.message_id FROM email_events e
      WHERE e.account_id = a.account_id AND (e.position, e.id) > (a.position, a.id COLLATE "C")
        AND e.position < ${END_OF_FEED}
      ORDER BY e.position, e.id LIMIT ${MAX_NEWS}
    ) s
  ) n
  WHERE n.scanned > 0`;
