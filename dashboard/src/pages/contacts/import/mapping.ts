/** The contact fields that a CSV column can be mapped to. */
export const FIELDS = [
  { name: 'email', label: 'Email address', guesses: ['email', 'emailaddress', 'mail', 'address'] },
  { name: 'firstName', label: 'First name', guesses: ['firstname', 'givenname', 'vorname', 'first'] },
  { name: 'lastName', label: 'Last name', guesses: ['lastname', 'surname', 'familyname', 'nachname', 'last'] },
  { name: 'company', label: 'Company', guesses: ['company', 'organisation', 'organization', 'firma'] },
  { name: 'tags', label: 'Tags (separated by ;)', guesses: ['tags', 'tag', 'labels'] },
  { name: 'status', label: 'Status', guesses: ['status', 'state'] },
] as const;

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
