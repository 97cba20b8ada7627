/** The mail of a key: sent to its recipients, or simulated and delivered to nobody. */
export const KEY_MODES = ['live', 'test'] as const;
export type KeyMode = (typeof KEY_MODES)[number];
