/** The private keys that are sealed with APP_SECRET. */
export const SEALED_DKIM_KEYS = [
  { table: 'domains', id: 't.id', sealed: 't.sealed_dkim_key', set: 'sealed_dkim_key = v.sealed' },
] as const;
