import { unescapeFormula } from '../../../shared/text.js';
import { type ContactRow, readContactRow } from '../../contacts/index.js';
import type { FieldColumns } from '../domain/column-mapping.js';
import type { RowError } from '../domain/contact-import.js';

const MAX_EMAIL_SHOWN = 320;
const TAG_SEPARATOR = ';';
/** No field may be longer. */
const MAX_CELL_LENGTH = 20_000;

export type ReadCsvRow = { line: number; row: ContactRow } | RowError;

/** Reads the contact or the error of a row. An empty cell leaves its field as it is. */
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

/**
 * Copies the address, because a slice of a string keeps the whole string in memory, and replaces control characters.
 */
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
