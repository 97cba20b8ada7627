import { describe, expect, it } from '@jest/globals';

import { CopyQuery } from './copy-query.js';

const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const END = Buffer.from([0xff, 0xff]);

function row(...fields: (string | null)[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeInt16BE(fields.length);
  const encoded = fields.flatMap((field) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(field === null ? -1 : Buffer.byteLength(field));
    return [length, Buffer.from(field ?? '')];
  });
  return Buffer.concat([count, ...encoded]);
}

describe('CopyQuery', () => {
  it('reads rows, however they are divided into messages', () => {
    const rows: (string | undefined)[][] = [];
    const query = new CopyQuery('SELECT 1', (fields) => rows.push(fields.map((field) => field?.toString())));
    const first = [HEADER, row('a', null), row('', 'PGCOPY')];
    for (const chunk of [Buffer.concat(first), row('b', 'c'), END]) query.handleCopyData({ chunk });
    query.throwFault();
    expect(rows).toEqual([
      ['a', undefined],
      ['', 'PGCOPY'],
      ['b', 'c'],
    ]);
  });

  it('keeps the first fault of the caller for the end of the query', () => {
    let calls = 0;
    const query = new CopyQuery('SELECT 1', () => {
      throw new Error(`fault ${++calls}`);
    });
    for (const chunk of [Buffer.concat([HEADER, row('a')]), row('b'), END]) query.handleCopyData({ chunk });
    expect(() => {
      query.throwFault();
    }).toThrow('fault 1');
    expect(calls).toBe(1);
  });
});
