import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import type { Database } from '../../../../platform/database/database.js';
import { firstId, newId } from '../../../../shared/ids.js';
import type { MessageFilter } from '../../domain/message-filter.js';
import { SqlMessageSearch } from './sql-message-search.js';
import type { Trigrams } from './trigrams.js';

const MAX_MS = 10_000;
const FILTER: MessageFilter & { search: string } = {
  apiKeyId: null,
  channel: null,
  tag: null,
  topicId: null,
  scheduled: false,
  statuses: null,
  search: 'zyzzyva',
  from: null,
  before: null,
};
const END = newId(new Date('2026-06-15'));
const FIRST_OF = (month: number) => firstId(new Date(Date.UTC(2026, month - 1)));

/** Each month takes a while to search, and contains one match. */
class SlowDatabase {
  indexed = 0;

  constructor(private readonly msPerMonth: number) {}

  read = (text: string, values: unknown[], timeoutMs = MAX_MS): Promise<unknown[]> => {
    if (text.includes('progress')) return Promise.resolve([{ id: null, end: END }]);
    if (text.includes('message_counts')) return Promise.resolve([{ day: '2020-01-01' }]);
    if (!text.includes('message_search_texts')) return Promise.resolve([]);
    jest.advanceTimersByTime(Math.min(timeoutMs, this.msPerMonth));
    if (timeoutMs < this.msPerMonth) return Promise.reject(Object.assign(new Error('canceled'), { code: '57014' }));
    this.indexed += 1;
    return Promise.resolve([{ id: `${String(values[2])}match` }]);
  };
}

describe('SqlMessageSearch', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const list = (database: SlowDatabase, limit: number) => {
    const trigrams = { areUnicode: () => Promise.resolve(true) } as Trigrams;
    const search = new SqlMessageSearch(database as unknown as Database, trigrams);
    return search.list('a', FILTER, null, limit);
  };

  it('ends a slice with the last month that it could search in its time', async () => {
    const startedAt = jest.now();
    const { items, resumeBefore } = await list(new SlowDatabase(4_000), 25);
    expect(jest.now() - startedAt).toBeLessThanOrEqual(MAX_MS);
    expect(items).toHaveLength(2);
    expect(resumeBefore).toBe(FIRST_OF(5));
    for (const { id } of items) expect(id > FIRST_OF(5)).toBe(true);
  });

  it('fails if it could not search a month', async () => {
    await expect(list(new SlowDatabase(11_000), 25)).rejects.toMatchObject({ code: '57014' });
  });

  it('searches no further than it needs for a page', async () => {
    const database = new SlowDatabase(1_000);
    const { items, resumeBefore } = await list(database, 3);
    expect(items).toHaveLength(3);
    expect(resumeBefore).toBe(items.at(-1)?.id);
    expect(database.indexed).toBe(4);
  });
});
