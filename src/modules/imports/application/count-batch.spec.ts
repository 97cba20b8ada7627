import { describe, expect, it } from '@jest/globals';

import { countBatch, distinctRows } from './count-batch.js';
import { readCsvRow } from './read-csv-row.js';

const NOW = new Date('2026-01-01T00:00:00Z');
const COLUMNS = new Map([
  ['email', 0],
  ['firstName', 1],
] as const);
const read = (...rows: string[][]) =>
  rows.map((cells, i) => readCsvRow(i + 2, cells, { columns: COLUMNS, width: 2 }, NOW));

describe('Counting a batch of rows', () => {
  it('keeps the last row of an address, in any spelling', () => {
    const batch = read(['ada@x.example', 'Ada'], ['not an address', ''], ['ADA@x.example', 'Augusta']);
    expect(distinctRows(batch)).toEqual([{ line: 4, row: { email: 'ADA@x.example', firstName: 'Augusta' } }]);
  });

  it('adds up to the rows of the batch and reports faults by line', () => {
    const batch = read(
      ['ada@x.example', ''],
      ['bob@x.example', ''],
      ['ada@x.example', ''],
      ['nobody', ''],
      ['eve@x.example', ''],
      ['Dan@x.example', ''],
    );
    const outcomes = new Map([
      ['ada@x.example', { outcome: 'created' }],
      ['bob@x.example', { outcome: 'unchanged' }],
      ['dan@x.example', { outcome: 'refused', fault: 'status cannot be set to active: Dan@x.example is suppressed' }],
    ] as const);
    const { counts, errors } = countBatch(batch, distinctRows(batch), outcomes);
    expect(counts).toEqual({ processed: 6, created: 1, updated: 0, skipped: 2, failed: 3 });
    expect(errors).toEqual([
      { line: 5, email: 'nobody', message: 'email must be an email address' },
      { line: 6, email: null, message: 'email belongs to a contact that was erased' },
      {
        line: 7,
        email: 'Dan@x.example',
        message: 'status cannot be set to active: Dan@x.example is suppressed',
      },
    ]);
  });

  it('reports a row with too few cells', () => {
    expect(read(['ada@x.example'])).toEqual([
      { line: 2, email: 'ada@x.example', message: 'has 1 cells, the header 2' },
    ]);
  });
});
