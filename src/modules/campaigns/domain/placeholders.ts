interface NamedContact {
  email: string;
  firstName: string | null;
  lastName: string | null;
  company: string | null;
}

/** The values of a contact that a campaign can show. Unknown ones are absent, so that a variable can replace them. */
export function placeholdersOf({ email, firstName, lastName, company }: NamedContact): Record<string, string> {
  const known = Object.entries({ email, firstName, lastName, company }).filter(([, value]) => value !== null);
  return Object.fromEntries(known) as Record<string, string>;
}
