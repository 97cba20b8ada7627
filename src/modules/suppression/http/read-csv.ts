import { Readable, pipeline } from 'node:stream';

import { CsvError, parse } from 'csv-parse';

import { DomainError } from '../../../shared/domain-error.js';
import { unescapeFormula } from '../../../shared/formula.js';
import { TimeSlice } from '../../../shared/time-slice.js';
import { type ImportRow, readRow } from '../domain/import-row.js';

/** Bounds what an unclosed quote makes the parser hold. */
const MAX_ROW_LENGTH = 100_000;
/** 10 MB of one-letter rows are five million, which nobody means. */
const MAX_ROWS = 500_000;
const PART_LENGTH = 4_096;
const ADDRESS_COLUMNS = ['address', 'email', 'phone'];

/** Where a row has what; -1: nowhere. */
interface Columns {
  address: number;
  reason: number;
  note: number;
}

const WITHOUT_HEADER: Columns = { address: 0, reason: -1, note: -1 };

/** The rows of a CSV with or without a header. Throws invalid, saying the line, for text that is no CSV. */
export async function* readCsv(csv: AsyncIterable<string>): AsyncGenerator<ImportRow, void> {
  let columns: Columns | undefined;
  let rows = 0;
  const slice = new TimeSlice();
  try {
    for await (const { record, info } of records(inSmallParts(csv))) {
      if (slice.isOver) await slice.next();
      if (++rows > MAX_ROWS) throw DomainError.invalid(`The CSV has more than ${MAX_ROWS} rows`);
      const header = columns ? null : readHeader(record);
      columns ??= header ?? WITHOUT_HEADER;
      if (!header) yield toRow(record, columns, info.lines);
    }
  } catch (error) {
    if (error instanceof CsvError) throw DomainError.invalid(`The CSV cannot be read: ${error.message}`);
    throw error;
  }
}

/** Each part is parsed without yielding, so it must be small. */
async function* inSmallParts(csv: AsyncIterable<string>): AsyncGenerator<string, void> {
  for await (const text of csv)
    for (let start = 0; start < text.length; start += PART_LENGTH) yield text.slice(start, start + PART_LENGTH);
}

function records(csv: AsyncIterable<string>): AsyncIterable<{ record: string[]; info: { lines: number } }> {
  const parser = parse({
    info: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    trim: true,
    relax_column_count: true,
    skip_records_with_empty_values: true,
    max_record_size: MAX_ROW_LENGTH,
  });
  // Its error is the parser's too, which throws it to the reader.
  pipeline(Readable.from(csv), parser, () => undefined);
  return parser;
}

/** Null for a row that holds an address, or no name that we know. */
function readHeader(cells: string[]): Columns | null {
  if (cells.some((cell) => !('fault' in readRow({ line: 1, address: cell, reason: '', note: '' })))) return null;
  const names = cells.map((cell) => cell.toLowerCase());
  const [named, ...more] = ADDRESS_COLUMNS.filter((name) => names.includes(name));
  const reason = names.indexOf('reason');
  const note = names.indexOf('note');
  if (named === undefined && reason < 0 && note < 0) return null;
  if (more.length > 0) throw DomainError.invalid(`The header names more than one of ${ADDRESS_COLUMNS.join(', ')}`);
  return { address: named === undefined ? 0 : names.indexOf(named), reason, note };
}

const toRow = (cells: string[], { address, reason, note }: Columns, line: number): ImportRow => ({
  line,
  address: unescapeFormula(cells[address] ?? ''),
  reason: unescapeFormula(cells[reason] ?? ''),
  note: unescapeFormula(cells[note] ?? ''),
});
