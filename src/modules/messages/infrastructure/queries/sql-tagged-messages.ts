import { Injectable } from '@nestjs/common';

import { Database } from '../../../../platform/database/database.js';
import { containsAny, Parameters } from '../../../../platform/database/parameters.js';
import { searchTerms } from '../../../../shared/search-terms.js';
import type { MessageSlice } from '../../application/ports/message-reader.js';
import type { MessageFilter } from '../../domain/message-filter.js';
import type { MessageLog } from '../../domain/message-log.js';
import { hasStatusIn, idRange, inRange, MESSAGE_COLUMNS, matchesCaller, toSlice } from './message-rows.sql.js';
import { SEARCH_TEXT } from './trigrams.js';

/** Messages with the tag that are read for a page. Takes some ten milliseconds. */
const READ_AT_MOST = 5_000;

type Tagged = MessageFilter & { tag: string };
/** `end` is the last message that was read; null if there are no more. */
type Row = (MessageLog | { id: null }) & { end: string | null };

/** Reads messages with a tag by the key of the tags, newest first; the other filters apply to what was read. */
@Injectable()
export class SqlTaggedMessages {
  constructor(private readonly database: Database) {}

  async list(accountId: string, filter: Tagged, beforeId: string | null, limit: number): Promise<MessageSlice> {
    const parameters = new Parameters(accountId);
    const range = idRange(filter, beforeId);
    const readAtMost = parameters.add(READ_AT_MOST);
    const matches = filter.search === null ? 'true' : containsAny(parameters, SEARCH_TEXT, searchTerms(filter.search));
    const rows = await this.database.read<Row>(
      `WITH tagged AS MATERIALIZED (
         SELECT t.message_id FROM message_tags t
         WHERE t.account_id = $1 AND t.tag = ${parameters.add(filter.tag)} AND ${inRange(parameters, range, 't.message_id')}
         ORDER BY t.message_id DESC LIMIT ${readAtMost}
       ), progress AS (
         SELECT CASE WHEN count(*) = ${readAtMost} THEN min(message_id) END AS "end" FROM tagged
       )
       SELECT progress."end", ${MESSAGE_COLUMNS}
       FROM progress LEFT JOIN (
         SELECT m.* FROM (SELECT message_id FROM tagged ORDER BY message_id DESC) t CROSS JOIN LATERAL (
           SELECT * FROM message_logs m
           WHERE m.id = t.message_id AND ${inRange(parameters, range)} AND ${matchesCaller(parameters, filter)}
             AND ${hasStatusIn(filter.statuses)} AND ${matches}
         ) m
         ORDER BY t.message_id DESC LIMIT ${parameters.add(limit + 1)}
       ) m ON true
       ORDER BY m.id DESC`,
      parameters.values,
    );
    const found = rows.filter((row): row is MessageLog & Row => row.id !== null);
    const end = rows[0]?.end ?? null;
    return found.length > limit || end === null ? toSlice(found, limit) : { items: found, resumeBefore: end };
  }
}
