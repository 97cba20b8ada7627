/** What a key sends: mail to its recipients, or simulated mail that reaches nobody. */
export const KEY_MODES = ['live', 'test'] as const;
export type KeyMode = (typeof KEY_MODES)[number];
