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
] as const satisfies readonly { name: string; label: TextId; guesses: readonly string[] }[];

export type Field = (typeof FIELDS)[number]['name'];

/** Contact field to column name. */
export type Mapping = Partial<Record<Field, string>>;

/** Maps columns with well-known names. */
export function guessMapping(header: readonly string[]): Mapping {
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
  const mapping: Mapping = {};
  for (const { name, guesses } of FIELDS) {
    const column = guesses.map((guess) => header.find((title) => plain(title) === guess)).find(Boolean);
    if (column !== undefined) mapping[name] = column;
  }
  return mapping;
}
