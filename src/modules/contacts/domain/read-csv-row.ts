import { unescapeFormula } from '../../../shared/formula.js';
import type { FieldColumns } from './column-mapping.js';
import type { ContactRow } from './contact.js';
import type { RowError } from './contact-import.js';
import { readContactRow } from './read-contact-row.js';

const MAX_EMAIL_SHOWN = 320;
const TAG_SEPARATOR = ';';
/** More than any field takes. */
const MAX_CELL_LENGTH = 20_000;

export type ReadCsvRow = { line: number; row: ContactRow } | RowError;

/** The contact that a row of a file describes, or what is wrong with it. A cell without text says nothing about its field. */
export function readCsvRow(line: number, cells: readonly string[], columns: FieldColumns, width: number): ReadCsvRow {
  const value: Record<string, unknown> = {};
  for (const [field, column] of columns) {
    const cell = cells[column] ?? '';
    if (cell.length > MAX_CELL_LENGTH) {
      const email = cells[columns.get('email') ?? -1];
      return rowError(line, email, `${field} is longer than ${MAX_CELL_LENGTH} characters`);
    }
    const text = (field === 'tags' ? cell : unescapeFormula(cell)).trim();
    if (text === '') continue;
    value[field] = field === 'tags' ? tagsOf(text) : field === 'status' ? text.toLowerCase() : text;
  }
  const email = value.email as string | undefined;
  if (cells.length !== width) return rowError(line, email, `has ${cells.length} cells, the header ${width}`);
  const row = readContactRow(value);
  return 'fault' in row ? rowError(line, email, row.fault) : { line, row };
}

/** What is no text to show is replaced. A part of a string holds all of it in memory: the address is copied. */
export const rowError = (line: number, email: string | undefined, message: string): RowError => ({
  line,
  email:
    email === undefined || email === ''
      ? null
      : Buffer.from(email.slice(0, MAX_EMAIL_SHOWN))
          .toString()
          .replace(/\p{Cc}/gu, '\uFFFD'),
  message,
});

const tagsOf = (text: string): string[] =>
  text
    .split(TAG_SEPARATOR)
    .map((tag) => unescapeFormula(tag.trim()))
    .filter((tag) => tag !== '');
