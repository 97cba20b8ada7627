import { readCsv } from '../../../platform/csv/read-csv.js';
import { DomainError } from '../../../shared/domain-error.js';
import { unescapeFormula } from '../../../shared/text.js';
import { type ImportRow, readRow } from '../domain/import-row.js';

const CSV = { maxRowLength: 100_000, failure: 'The CSV cannot be read' };
/** 10 MB can hold five million rows of one letter, which are of no use. */
const MAX_ROWS = 500_000;
const ADDRESS_COLUMNS = ['address', 'email', 'phone'];

/** The index of each column; -1 if there is none. */
interface Columns {
  address: number;
  reason: number;
  note: number;
}

const WITHOUT_HEADER: Columns = { address: 0, reason: -1, note: -1 };

/** Reads the rows of a CSV with or without a header. Throws invalid, naming the line, if it is not CSV. */
export async function* readImportRows(csv: AsyncIterable<string>): AsyncGenerator<ImportRow, void> {
  let columns: Columns | undefined;
  let rows = 0;
  for await (const { line, cells } of readCsv(csv, CSV)) {
    if (++rows > MAX_ROWS) throw DomainError.invalid(`The CSV has more than ${MAX_ROWS} rows`);
    const header = columns ? null : readHeader(cells);
    columns ??= header ?? WITHOUT_HEADER;
    if (!header) yield toRow(cells, columns, line);
  }
}

/** Null for a row that contains an address, or none of the known names. */
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
