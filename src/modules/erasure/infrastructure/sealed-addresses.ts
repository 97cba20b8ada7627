/** The addresses that are sealed with APP_SECRET until their erasure has ended. */
export const SEALED_ADDRESSES = [
  { table: 'contact_erasures', id: 't.contact_id', sealed: 't.sealed_email', set: 'sealed_email = v.sealed' },
] as const;
