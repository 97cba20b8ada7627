import type { TextId } from '../../../texts/text';

/** The contact fields that a CSV column can be mapped to. */
export const FIELDS = [
  { name: 'email', label: 'common.field.emailAddress', guesses: ['email', 'emailaddress', 'mail', 'address'] },
  { name: 'firstName', label: 'contacts.field.firstName', guesses: ['firstname', 'givenname', 'vorname', 'first'] },
  {
    name: 'lastName',
    label: 'contacts.field.lastName',
    guesses: ['lastname', 'surname', 'familyname', 'nachname', 'last'],
  },
  { name: 'company', label: 'contacts.field.company', guesses: ['company', 'organisation', 'organization', 'firma'] },
  { name: 'tags', label: 'contacts.import.tags', guesses: ['tags', 'tag', 'labels'] },
  { name: 'status', label: 'common.column.status', guesses: ['status', 'state'] },
  { name: 'consentAt', label: 'contacts.import.consentAt', guesses: ['consentat', 'confirmtime', 'optintime'] },
  { name: 'consentWording', label: 'contacts.import.consentWording', guesses: ['consentwording'] },
  { name: 'consentIp', label: 'contacts.import.consentIp', guesses: ['consentip', 'confirmip', 'optinip'] },
  { name: 'consentEvidence', label: 'contacts.import.consentEvidence', guesses: ['consentevidence'] },
] as const satisfies readonly { name: string; label: TextId; guesses: readonly string[] }[];

export type Field = (typeof FIELDS)[number]['name'];

/** The column name of each mapped contact field. */
export type Mapping = Partial<Record<Field, string>>;

/** Column names that the API imports as attributes. */
const ATTRIBUTE = /^attributes\.(?!__proto__$)[A-Za-z0-9_]{1,40}$/;
const MAX_KEY_LENGTH = 40;

/** The columns that are named like attributes. */
export const attributeColumns = (header: readonly string[]): string[] => header.filter((name) => ATTRIBUTE.test(name));

/** Returns the attribute name of a column, unchanged if it has the form of one: `City` becomes `attributes.City`. */
function attributeOf(column: string): string {
  if (ATTRIBUTE.test(column)) return column;
  const key = (column.match(/[A-Za-z0-9]+/g) ?? []).join('_');
  return `attributes.${key.slice(0, MAX_KEY_LENGTH) || 'column'}`;
}

/** Maps attribute names to columns. Names that would collide get a number. */
export function attributesOf(columns: readonly string[]): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const column of columns) {
    const wanted = attributeOf(column);
    let name = wanted;
    for (let number = 2; attributes.has(name); number++) {
      const suffix = `_${number}`;
      name = wanted.slice(0, 'attributes.'.length + MAX_KEY_LENGTH - suffix.length) + suffix;
    }
    attributes.set(name, column);
  }
  return attributes;
}

/** Builds the mapping of the API: null for a column that is named like an attribute but is not to become one. */
export function toRequest(
  fields: Mapping,
  columns: readonly string[],
  header: readonly string[],
): Record<string, string | null> {
  const ignored = attributeColumns(header).map((name) => [name, null] as const);
  return { ...Object.fromEntries(ignored), ...fields, ...Object.fromEntries(attributesOf(columns)) };
}

export function guessMapping(header: readonly string[]): Mapping {
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
  const mapping: Mapping = {};
  for (const { name, guesses } of FIELDS) {
    const column = guesses.map((guess) => header.find((title) => plain(title) === guess)).find(Boolean);
    if (column !== undefined) mapping[name] = column;
  }
  return mapping;
}
