import { attributeKey } from '../../../shared/attributes.js';
import { DomainError } from '../../../shared/domain-error.js';

export const MAPPED_FIELDS = [
  ...(['email', 'firstName', 'lastName', 'company', 'tags', 'status'] as const),
  ...(['consentAt', 'consentWording', 'consentIp', 'consentEvidence'] as const),
] as const;

/**
 * The column of each field, by its name in the header. A field is one of MAPPED_FIELDS or `attributes.<key>`; null for
 * an attribute whose column, which has the same name, is ignored.
 */
export type ColumnMapping = Record<string, string | null>;

/** The index of the column of each mapped field. */
export type FieldColumns = ReadonlyMap<string, number>;

/** The columns of a file that no field is read from. */
export interface IgnoredColumns {
  count: number;
  /** The first names; shortened. */
  names: string[];
}

const MAX_HEADER_SHOWN = 500;
const MAX_IGNORED_NAMED = 100;
const MAX_NAME_SHOWN = 100;

/** Throws invalid, naming the fault, if the text is not a mapping. */
export function readMapping(text: string | undefined): ColumnMapping {
  const mapping = parse(text);
  for (const [field, column] of Object.entries(mapping)) {
    const isAttribute = attributeKey(field) !== null;
    if (!isAttribute && !(MAPPED_FIELDS as readonly string[]).includes(field))
      throw DomainError.invalid(`mapping.${field} is not one of ${MAPPED_FIELDS.join(', ')}, attributes.<key>`);
    if (isAttribute && column === null) continue;
    if (typeof column !== 'string' || column.trim() === '' || column.includes('\0'))
      throw DomainError.invalid(`mapping.${field} must be the name of a column`);
  }
  if (!Object.hasOwn(mapping, 'email')) throw DomainError.invalid('mapping.email must be the name of a column');
  return mapping as ColumnMapping;
}

function parse(text = ''): Record<string, unknown> {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // reported below
  }
  throw DomainError.invalid('mapping must be a JSON object such as {"email":"E-mail"}');
}

/**
 * A column that is named like an attribute need not be mapped. Throws invalid if the header does not contain a mapped
 * column, or contains it twice.
 */
export function findColumns(mapping: ColumnMapping, header: readonly string[]): FieldColumns {
  if (header.some((name) => name.includes('\0')))
    throw DomainError.invalid('The header of the file holds null bytes: the file must be in UTF-8');
  const columns = new Map<string, number>();
  for (const [field, name] of namesByField(mapping, header)) {
    const column = header.indexOf(name);
    if (column < 0) throw DomainError.invalid(`mapping.${field}: the file has no column ${name}; ${describe(header)}`);
    if (header.includes(name, column + 1))
      throw DomainError.invalid(`mapping.${field}: the file has several columns ${name}`);
    columns.set(field, column);
  }
  return columns;
}

/** The names of the columns by field: those of the mapping first, then columns that are named like attributes. */
function namesByField(mapping: ColumnMapping, header: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const [field, name] of Object.entries(mapping)) if (name !== null) names.set(field, name.trim());
  const mapped = new Set(names.values());
  for (const name of header)
    if (attributeKey(name) !== null && !Object.hasOwn(mapping, name) && !mapped.has(name)) names.set(name, name);
  return names;
}

/** The columns that `columns` leaves out. Columns without a name count, too. */
export function ignoredColumns(columns: FieldColumns, header: readonly string[]): IgnoredColumns {
  const read = new Set(columns.values());
  const ignored = header.filter((_, column) => !read.has(column));
  const names = ignored.slice(0, MAX_IGNORED_NAMED).map((name) => printable(name.slice(0, MAX_NAME_SHOWN)));
  return { count: ignored.length, names };
}

const printable = (name: string): string => name.toWellFormed().replace(/\p{Cc}/gu, '\uFFFD');

const describe = (header: readonly string[]): string =>
  `its header is ${header.join(', ').slice(0, MAX_HEADER_SHOWN).toWellFormed()}`;
