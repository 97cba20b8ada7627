import { attributeKey, type AttributeValue } from '../../../shared/attributes.js';
import { unescapeFormula } from '../../../shared/text.js';
import { type ContactRow, readContactRow } from '../../contacts/index.js';
import type { FieldColumns } from '../domain/column-mapping.js';
import type { RowError } from '../domain/contact-import.js';

const MAX_EMAIL_SHOWN = 320;
const TAG_SEPARATOR = ';';
/** No field of a contact may be longer. */
const MAX_CELL_LENGTH = 20_000;

/** The columns of a file, according to its header. */
export interface FileHeader {
  columns: FieldColumns;
  /** The number of columns of the file, mapped or not. */
  width: number;
}

export type ReadCsvRow = { line: number; row: ContactRow } | RowError;

/** Reads the contact or the error of a row. An empty cell leaves its field as it is. */
export function readCsvRow(
  line: number,
  cells: readonly string[],
  { columns, width }: FileHeader,
  now: Date,
): ReadCsvRow {
  const value: Record<string, unknown> = {};
  const attributes: Record<string, AttributeValue> = {};
  for (const [field, column] of columns) {
    const cell = cells[column] ?? '';
    if (cell.length > MAX_CELL_LENGTH) {
      const email = cells[columns.get('email') ?? -1];
      return rowError(line, email, `${field} is longer than ${MAX_CELL_LENGTH} characters`);
    }
    const text = (field === 'tags' ? cell : unescapeFormula(cell)).trim();
    if (text === '') continue;
    const key = attributeKey(field);
    if (key !== null) attributes[key] = attributeOf(text);
    else value[field] = field === 'tags' ? tagsOf(text) : field === 'status' ? text.toLowerCase() : text;
  }
  if (Object.keys(attributes).length > 0) value.attributes = attributes;
  const email = value.email as string | undefined;
  if (cells.length !== width) return rowError(line, email, `has ${cells.length} cells, the header ${width}`);
  const row = readContactRow(value, now);
  return 'fault' in row ? rowError(line, email, row.fault) : { line, row };
}

/** A cell that contains a number or boolean in JSON notation becomes one: a section can then depend on it. */
function attributeOf(text: string): AttributeValue {
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  const isExact = String(number) === text && (!Number.isInteger(number) || Number.isSafeInteger(number));
  return isExact && Number.isFinite(number) ? number : text;
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
