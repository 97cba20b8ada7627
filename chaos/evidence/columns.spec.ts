import { describe, expect, it } from '@jest/globals';

import { NumberColumn, TextColumn } from './columns.js';

describe('A column', () => {
  it('holds numbers at any index', () => {
    const column = new NumberColumn(Uint32Array);
    column.set(3, 4_000_000_000);
    column.set(1_000_000, 7);
    expect([column.get(3), column.get(1_000_000), column.get(4), column.get(5_000_000)]).toEqual([
      4_000_000_000, 7, 0, 0,
    ]);
  });

  it('holds texts up to its width', () => {
    const column = new TextColumn(4);
    column.set(0, 'abcd');
    column.set(1, 'efgh');
    column.set(1, 'x');
    column.set(100_000, 'last');
    expect([column.get(0), column.get(1), column.get(2), column.get(100_000), column.get(900_000)]).toEqual([
      'abcd',
      'x',
      '',
      'last',
      '',
    ]);
    expect(() => {
      column.set(2, 'abcde');
    }).toThrow(/longer than 4/);
  });
});
