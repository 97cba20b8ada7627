import { describe, expect, it } from '@jest/globals';

import { newId } from '../../../shared/ids.js';
import { readCursor, writeCursor } from './message-cursor.js';
import type { MessageFilter } from './message-filter.js';

const ID = newId(new Date('2026-03-01'));
const FILTER: MessageFilter = {
  apiKeyId: 'key',
  channel: 'email',
  tag: 'may',
  topicId: newId(new Date('2026-02-01')),
  scheduled: true,
  statuses: ['sent'],
  search: 'ada',
  from: new Date('2026-01-01'),
  before: new Date('2026-02-01'),
};

describe('A cursor', () => {
  const cursor = writeCursor('account', FILTER, ID);

  it('returns its id for the same account and filter', () => {
    expect(readCursor('account', { ...FILTER }, cursor)).toBe(ID);
  });

  it.each(Object.keys(FILTER) as (keyof MessageFilter)[])('is refused with another %s', (field) => {
    expect(() => readCursor('account', { ...FILTER, [field]: null }, cursor)).toThrow('other filters');
  });

  it('is refused for another account', () => {
    expect(() => readCursor('other', FILTER, cursor)).toThrow('other filters');
  });

  it.each(['', 'x', ID, cursor.slice(1), `${cursor}AAAA`, cursor.slice(0, -4)])('is refused as %j', (text) => {
    expect(() => readCursor('account', FILTER, text)).toThrow('nextCursor of an earlier page');
  });
});
