import { DomainError } from '../../../shared/domain-error.js';

export const MAPPED_FIELDS = ['email', 'firstName', 'lastName', 'company', 'tags', 'status'] as const;
export type MappedField = (typeof MAPPED_FIELDS)[number];

/** Which column of a file, by its name in the header, holds which field of a contact. */
export type ColumnMapping = Partial<Record<MappedField, string>>;

/** Where a row has the fields; a field that is not mapped is missing. */
export type FieldColumns = Map<MappedField, number>;

const MAX_HEADER_SHOWN = 500;

/** Throws invalid for text that is no mapping, naming what is wrong with it. */
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
    // said below
  }
  throw DomainError.invalid('mapping must be a JSON object such as {"email":"E-mail"}');
}

/** Throws invalid for a column that the header does not name, or names twice. */
export function findColumns(mapping: ColumnMapping, header: readonly string[]): FieldColumns {
  if (header.some((name) => name.includes('\0')))
    throw DomainError.invalid('The header of the file holds null bytes: the file must be in UTF-8');
  const columns: FieldColumns = new Map();
  for (const field of MAPPED_FIELDS) {
    const name = mapping[field]?.trim();
    if (name === undefined) continue;
    const column = header.indexOf(name);
    if (column < 0) throw DomainError.invalid(`mapping.${field}: the file has no column ${name}; ${shown(header)}`);
    if (header.includes(name, column + 1))
      throw DomainError.invalid(`mapping.${field}: the file has several columns ${name}`);
    columns.set(field, column);
  }
  return columns;
}

const shown = (header: readonly string[]): string =>
  `its header is ${header.join(', ').slice(0, MAX_HEADER_SHOWN).toWellFormed()}`;
