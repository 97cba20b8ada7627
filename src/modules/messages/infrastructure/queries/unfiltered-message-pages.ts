import { Injectable } from '@nestjs/common';

import { MAX_PAGE_SIZE } from '../../../../config/limits.js';
import { Database } from '../../../../platform/database/database.js';
import type { MessageFilter } from '../../domain/message-filter.js';
import type { MessageLog } from '../../domain/message-log.js';
import { idRange, MESSAGE_COLUMNS } from './message-rows.sql.js';

/** One more row than the page has shows whether the list continues. */
const MAX_ROWS = MAX_PAGE_SIZE + 1;

/**
 * Reads pages of the message list that are filtered by nothing but account, API key and time, as most are. Their
 * statements are prepared, because planning takes ten times as long as running: the log has a partition per month.
 */
@Injectable()
export class UnfilteredMessagePages {
  private canReadInOrder: boolean | undefined;

  constructor(private readonly database: Database) {}

  /**
   * The newest `count` messages before `beforeId`, newest first. Null if the filter, the count or the version of
   * PostgreSQL needs another statement.
   */
  async read(
    accountId: string,
    filter: MessageFilter,
    beforeId: string | null,
    count: number,
  ): Promise<MessageLog[] | null> {
    const { apiKeyId, channel, tag, topicId, scheduled, statuses, search } = filter;
    const hasOtherFilters = [channel, tag, topicId, statuses, search].some((given) => given !== null) || scheduled;
    if (hasOtherFilters || count > MAX_ROWS || !(await this.readsInOrder())) return null;
    const { from, end } = idRange(filter, beforeId);
    const values = [accountId, from, end, count];
    return apiKeyId === null
      ? this.database.read(LIST_BY_ACCOUNT, values)
      : this.database.read(LIST_BY_KEY, [...values, apiKeyId]);
  }

  /** Since version 17 PostgreSQL reads an index in order although several of its columns are compared by `= ANY`. */
  private async readsInOrder(): Promise<boolean> {
    if (this.canReadInOrder === undefined) {
      const [server] = await this.database.query<{ ordered: boolean }>(
        "SELECT current_setting('server_version_num')::integer >= 170000 AS ordered",
      );
      this.canReadInOrder = server?.ordered ?? false;
    }
    return this.canReadInOrder;
  }
}

/**
 * $1 account, $2 first id, $3 end of the ids, exclusive, $4 count. One plan serves all callers, and where one account
 * has most of the messages, it would read the newest of all accounts and filter them. To the planner, columns that are
 * compared by `= ANY` are not constant, so only the index that starts with them has this order. From the constant limit
 * it expects a page; from a parameter it would expect a tenth of the log.
 */
function newestBy(order: string, keyCondition = ''): string {
  return `
    SELECT ${MESSAGE_COLUMNS}
    FROM (
      SELECT * FROM message_logs m
      WHERE m.account_id = ANY (ARRAY[$1]) ${keyCondition} AND m.id >= $2 AND m.id < $3
      ORDER BY ${order} LIMIT ${MAX_ROWS}
    ) m
    ORDER BY ${order} LIMIT $4`;
}

const LIST_BY_ACCOUNT = { name: 'list_newest_messages', text: newestBy('m.account_id DESC, m.id DESC') };

const LIST_BY_KEY = {
  name: 'list_newest_messages_of_key',
  text: newestBy('m.account_id DESC, m.api_key_id DESC, m.id DESC', 'AND m.api_key_id = ANY (ARRAY[$5])'),
};
