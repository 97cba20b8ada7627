import { DomainError } from '../../../shared/domain-error.js';

export const MAPPED_FIELDS = ['email', 'firstName', 'lastName', 'company', 'tags', 'status'] as const;
export type MappedField = (typeof MAPPED_FIELDS)[number];

/** The column of each field, by its name in the header. */
export type ColumnMapping = Partial<Record<MappedField, string>>;

/** The index of the column of each mapped field. */
export type FieldColumns = Map<MappedField, number>;

const MAX_HEADER_SHOWN = 500;

/** Throws invalid, naming the fault, if the text is not a mapping. */
export function readMapping(text: string | undefined): ColumnMapping {
  const mapping = parse(text);
  for (const [field, column] of Object.entries(mapping)) {
    if (!(MAPPED_FIELDS as readonly string[]).includes(field))
      throw DomainError.invalid(`mapping.${field} is not one of ${MAPPED_FIELDS.join(', ')}`);
    if (typeof column !== 'string' || column.trim() === '' || column.includes('\0'))
      throw DomainError.invalid(`mapping.${field} must be the name of a column`);
  }
  if (mapping.email === undefined) throw DomainError.invalid('mapping.email must be the name of a column');
  return mapping;
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

/** Throws invalid if the header does not contain a mapped column, or contains it twice. */
export function findColumns(mapping: ColumnMapping, header: readonly string[]): FieldColumns {
  if (header.some((name) => name.includes('\0')))
    throw DomainError.invalid('The header of the file holds null bytes: the file must be in UTF-8');
  const columns: FieldColumns = new Map();
  for (const field of MAPPED_FIELDS) {
    const name = mapping[field]?.trim();
    if (name === undefined) continue;
    const column = header.indexOf(name);
    if (column < 0) throw DomainError.invalid(`mapping.${field}: the file has no column ${name}; ${describe(header)}`);
    if (header.includes(name, column + 1))
      throw DomainError.invalid(`mapping.${field}: the file has several columns ${name}`);
    columns.set(field, column);
  }
  return columns;
}

const describe = (header: readonly string[]): string =>
  `its header is ${header.join(', ').slice(0, MAX_HEADER_SHOWN).toWellFormed()}`;
