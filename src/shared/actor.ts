export const ACTOR_TYPES = ['person', 'user', 'key', 'system'] as const;

/**
 * The author of a change: a recipient, with or without the id of a contact; a user or API key of the account; or the
 * service.
 */
export interface Actor {
  type: (typeof ACTOR_TYPES)[number];
  id: string | null;
}

export const PERSON: Actor = { type: 'person', id: null };
export const SYSTEM: Actor = { type: 'system', id: null };
