import { describe, expect, it } from '@jest/globals';

import { findColumns, ignoredColumns } from '../domain/column-mapping.js';
import { readCsvRow } from './read-csv-row.js';

describe('readCsvRow', () => {
  const read = (cells: string[], columns: [string, number][]) =>
    readCsvRow(2, cells, { columns: new Map([['email', 0], ...columns]), width: cells.length }, new Date());

  it.each([
    ['Bern', 'Bern'],
    ['true', true],
    ['false', false],
    ['True', 'True'],
    ['42', 42],
    ['-1.5', -1.5],
    ["'-1.5", -1.5],
    ['0', 0],
    ['-0', '-0'],
    ['007', '007'],
    ['+41', '+41'],
    ['1e3', '1e3'],
    ['1.10', '1.10'],
    ['NaN', 'NaN'],
    ['Infinity', 'Infinity'],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', '9007199254740993'],
    ['0x10', '0x10'],
  ])('reads the attribute %j as %j', (cell, value) => {
    expect(read(['ada@example.com', cell], [['attributes.a', 1]])).toEqual({
      line: 2,
      row: { email: 'ada@example.com', attributes: { a: value } },
    });
  });

  it('leaves attributes of empty cells as they are', () => {
    const columns: [string, number][] = [
      ['attributes.city', 1],
      ['attributes.constructor', 2],
    ];
    expect(read(['ada@example.com', ' ', ''], columns)).toEqual({ line: 2, row: { email: 'ada@example.com' } });
    expect(read(['ada@example.com', '', 'Ltd'], columns)).toEqual({
      line: 2,
      row: { email: 'ada@example.com', attributes: { constructor: 'Ltd' } },
    });
  });

  it('reports a row whose attributes are too long', () => {
    const long = read(['ada@example.com', 'x'.repeat(5_000)], [['attributes.a', 1]]);
    expect(long).toMatchObject({ message: 'attributes would have 5008 bytes of JSON, more than 4096' });
  });
});

describe('The columns of a file', () => {
  const HEADER = ['E-mail', 'attributes.city', 'City', 'notes', '', 'attributes.a.b', 'x'.repeat(200)];

  it('become attributes by mapping or by their name', () => {
    const columns = findColumns({ email: 'E-mail', 'attributes.town': 'City' }, HEADER);
    expect([...columns]).toEqual([
      ['email', 0],
      ['attributes.town', 2],
      ['attributes.city', 1],
    ]);
    expect(ignoredColumns(columns, HEADER)).toEqual({
      count: 4,
      names: ['notes', '', 'attributes.a.b', 'x'.repeat(100)],
    });
  });

  it('are ignored if an attribute is mapped to another one, or to none', () => {
    expect([...findColumns({ email: 'E-mail', 'attributes.city': 'City' }, HEADER)]).toEqual([
      ['email', 0],
      ['attributes.city', 2],
    ]);
    expect([...findColumns({ email: 'E-mail', 'attributes.city': null }, HEADER)]).toEqual([['email', 0]]);
  });

  it('are named up to a number', () => {
    const header = Array.from({ length: 300 }, (_, i) => `column ${i}`);
    const { count, names } = ignoredColumns(new Map([['email', 0]]), header);
    expect([count, names.length]).toEqual([299, 100]);
  });
});
