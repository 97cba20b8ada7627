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

/**
 * `attributes.city` for a column of that name, and for one called `City` as well, unless contacts have an attribute
 * that differs in case alone.
 */
function attributeOf(column: string, keys: readonly string[]): string {
  if (ATTRIBUTE.test(column)) return column;
  const words = column.toLowerCase().match(/[a-z0-9]+/g) ?? ['column'];
  const key = words.join('_').slice(0, MAX_KEY_LENGTH);
  const known = keys.includes(key) ? key : keys.find((name) => name.toLowerCase() === key);
  return `attributes.${known ?? key}`;
}

/**
 * Maps attribute names to columns. Names that would collide get a number. `keys` are those that contacts have already.
 */
export function attributesOf(columns: readonly string[], keys: readonly string[]): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const column of columns) {
    const wanted = attributeOf(column, keys);
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
  attributes: ReadonlyMap<string, string>,
  header: readonly string[],
): Record<string, string | null> {
  const ignored = attributeColumns(header).map((name) => [name, null] as const);
  return { ...Object.fromEntries(ignored), ...fields, ...Object.fromEntries(attributes) };
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
