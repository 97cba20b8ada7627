import { describe, expect, it } from '@jest/globals';
import { EntitySchema } from 'typeorm';

import { columnNames, ID, insertLists, jsonFields, recordColumns, selectList } from './columns.js';

interface Row {
  id: string;
  accountId: string;
  sentAt: Date;
  hash: string;
}

const schema = new EntitySchema<Row>({
  name: 'Row',
  columns: {
    id: { ...ID, primary: true },
    accountId: { ...ID, name: 'account_id' },
    sentAt: { type: 'timestamptz', name: 'sent_at' },
    hash: { type: 'text', select: false },
  },
});

describe('Column lists', () => {
  it('select all columns under the names of the properties, except those that are not selected by default', () => {
    expect(selectList(schema, 'r')).toBe('r.id AS "id", r.account_id AS "accountId", r.sent_at AS "sentAt"');
  });

  it('select the given properties', () => {
    expect(selectList(schema, 'r', ['accountId', 'hash'])).toBe('r.account_id AS "accountId", r.hash AS "hash"');
  });

  it('name the columns of an INSERT and of a record set in the given order', () => {
    expect(columnNames(schema, ['sentAt', 'id'])).toBe('sent_at, id');
    expect(recordColumns(schema, ['sentAt', 'id'])).toBe('"sentAt" timestamptz, "id" text');
  });

  it('name the columns of an INSERT in the order of their expressions', () => {
    expect(insertLists(schema, { sentAt: 'now()', accountId: '$1' })).toEqual({
      columns: 'sent_at, account_id',
      values: 'now(), $1',
    });
  });

  it('build a JSON object', () => {
    expect(jsonFields(schema, 'r')).toBe("'id', r.id, 'accountId', r.account_id, 'sentAt', r.sent_at");
  });

  it('refuse a property without a column', () => {
    expect(() => selectList(schema, 'r', ['name' as keyof Row])).toThrow('Row has no column for name');
  });
});
