import { Injectable } from '@nestjs/common';

import { Database } from '../../../../platform/database/database.js';
import { containsAny, Parameters } from '../../../../platform/database/parameters.js';
import { isTimedOut } from '../../../../platform/database/postgres-errors.js';
import { firstId, idPrefix, idTime } from '../../../../shared/ids.js';
import { searchTerms } from '../../../../shared/search-terms.js';
import { monthAfter, monthOf } from '../../../../shared/utc.js';
import type { MessageSlice } from '../../application/ports/message-reader.js';
import type { MessageFilter } from '../../domain/message-filter.js';
import type { MessageLog } from '../../domain/message-log.js';
import {
  hasStatusIn,
  type IdRange,
  idRange,
  inRange,
  MESSAGE_COLUMNS,
  newest,
  matchesCaller,
  toSlice,
} from './message-rows.sql.js';
import { haveTrigrams, SEARCH_TEXT, Trigrams } from './trigrams.js';

/** The newest messages are read first: takes a few milliseconds; fills a page if one message in a hundred matches. */
const READ_FIRST = 2_000;
/** The number of messages read for a search that cannot use trigrams. */
const READ_WITHOUT_INDEX = 20_000;
/** Limits all statements of a search together: it holds a connection that others wait for. */
const TIMEOUT_MS = 10_000;

type Search = MessageFilter & { search: string };

class Deadline {
  private readonly at = performance.now() + TIMEOUT_MS;

  get msLeft(): number {
    return Math.max(1, Math.ceil(this.at - performance.now()));
  }
}

/**
 * Reads the newest messages first, which finds frequent texts fastest, and then searches the trigram index for rare
 * ones, month by month. The index alone would collect every match of a frequent text to show one page. When the time is
 * up, the slice ends with the last month that was searched.
 */
@Injectable()
export class SqlMessageSearch {
  constructor(
    private readonly database: Database,
    private readonly trigrams: Trigrams,
  ) {}

  async list(accountId: string, filter: Search, beforeId: string | null, limit: number): Promise<MessageSlice> {
    const deadline = new Deadline();
    const indexed = haveTrigrams(searchTerms(filter.search), await this.trigrams.areUnicode());
    const range = idRange(filter, beforeId);
    const count = indexed ? READ_FIRST : READ_WITHOUT_INDEX;
    const read = await this.readNewest(accountId, filter, range, limit + 1, count, deadline);
    if (read.items.length > limit || read.end === null) return toSlice(read.items, limit);
    if (!indexed) return { items: read.items, resumeBefore: read.end };
    const rest = { from: range.from, end: read.end };
    const older = await this.searchIndex(accountId, filter, rest, limit + 1 - read.items.length, deadline);
    const items = [...read.items, ...older.items];
    return older.resumeBefore === null ? toSlice(items, limit) : { items, resumeBefore: older.resumeBefore };
  }

  /** The matches among the newest messages; `end` is the last id that was read, or null if there are no more. */
  private async readNewest(
    accountId: string,
    filter: Search,
    range: IdRange,
    limit: number,
    count: number,
    deadline: Deadline,
  ) {
    const parameters = new Parameters(accountId);
    const rows = await this.database.read<(MessageLog | { id: null }) & { end: string | null }>(
      `WITH read AS MATERIALIZED (${newest(parameters, filter, range, count)}),
        progress AS (SELECT CASE WHEN count(*) = ${parameters.add(count)} THEN min(id) END AS "end" FROM read)
       SELECT progress."end", ${MESSAGE_COLUMNS}
       FROM progress LEFT JOIN (
         SELECT * FROM read m WHERE ${containsAny(parameters, SEARCH_TEXT, searchTerms(filter.search))}
         ORDER BY m.id DESC LIMIT ${parameters.add(limit)}
       ) m ON true
       ORDER BY m.id DESC`,
      parameters.values,
      deadline.msLeft,
    );
    return { items: rows.filter((row) => row.id !== null), end: rows[0]?.end ?? null };
  }

  /**
   * Searches the backlog first: a message that is indexed meanwhile is then found in the index, possibly twice. Throws
   * if the time is up before a month was searched.
   */
  private async searchIndex(
    accountId: string,
    filter: Search,
    { from, end }: IdRange,
    limit: number,
    deadline: Deadline,
  ): Promise<MessageSlice> {
    const first = idPrefix(await this.firstDay(accountId, deadline));
    const oldest = from > first ? from : first;
    const found = new Map<string, MessageLog>();
    const search = async (source: string, range: IdRange) => {
      for (const message of await this.searchSource(source, range, accountId, filter, limit, deadline))
        found.set(message.id, message);
    };
    const newestFirst = () => [...found.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
    await search(UNINDEXED, { from: oldest, end });
    for (let month = monthOf(idTime(end)); oldest < end; month = monthAfter(month, -1)) {
      const [start, next] = [idPrefix(month), idPrefix(monthAfter(month, 1))];
      const certain = newestFirst().filter(({ id }) => id >= next);
      if (next <= oldest || certain.length >= limit) break;
      const range = { from: oldest > start ? oldest : start, end: end < next ? end : next };
      try {
        await search(INDEXED, range);
      } catch (error) {
        if (!isTimedOut(error) || next >= end) throw error;
        return { items: certain, resumeBefore: firstId(monthAfter(month, 1)) };
      }
    }
    return { items: newestFirst().slice(0, limit), resumeBefore: null };
  }

  private searchSource(
    source: string,
    range: IdRange,
    accountId: string,
    filter: Search,
    limit: number,
    deadline: Deadline,
  ): Promise<MessageLog[]> {
    const parameters = new Parameters(accountId);
    return this.database.read<MessageLog>(
      `WITH found AS MATERIALIZED (
         SELECT message_id FROM ${source}
         WHERE account_id = $1 AND ${containsAny(parameters, 'text', searchTerms(filter.search))}
           AND ${inRange(parameters, range, 'message_id')}
       )
       SELECT ${MESSAGE_COLUMNS}
       FROM (SELECT message_id FROM found ORDER BY message_id DESC) f CROSS JOIN LATERAL (
         SELECT * FROM message_logs m
         WHERE m.id = f.message_id AND ${inRange(parameters, range)} AND ${matchesCaller(parameters, filter)}
           AND ${hasStatusIn(filter.statuses)}
       ) m
       ORDER BY f.message_id DESC LIMIT ${parameters.add(limit)}`,
      parameters.values,
      deadline.msLeft,
    );
  }

  /** The first UTC day with messages of the account. */
  private async firstDay(accountId: string, deadline: Deadline): Promise<Date> {
    const [row] = await this.database.read<{ day: string | null }>(FIRST_DAY, [accountId], deadline.msLeft);
    return new Date(row?.day ?? Date.now());
  }
}

const INDEXED = 'message_search_texts';
const UNINDEXED = 'message_search_waiting';

const FIRST_DAY = `
  SELECT to_char(min(day), 'YYYY-MM-DD') AS day FROM (
    SELECT min(day) AS day FROM message_counts WHERE account_id = $1
    UNION ALL SELECT min(day) FROM message_count_changes WHERE account_id = $1
  ) first`;
