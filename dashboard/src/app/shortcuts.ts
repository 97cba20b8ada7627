import { SECTION_PATHS, type SectionPath } from './section-paths';

/** The key that opens a section after `G`. */
export const SECTION_KEYS: Readonly<Partial<Record<SectionPath, string>>> = {
  overview: 'O',
  messages: 'M',
  campaigns: 'A',
  contacts: 'C',
  forms: 'F',
  lists: 'L',
  topics: 'P',
  templates: 'T',
  suppressions: 'S',
  webhooks: 'W',
  'api-keys': 'K',
  domains: 'D',
  settings: 'E',
  users: 'U',
};

export type Shortcut =
  { action: 'palette' | 'help' | 'search' | 'next' | 'previous' | 'undo' } | { action: 'open'; section: SectionPath };

/** The second key of a sequence must follow `G` within this time. */
export const SEQUENCE_MS = 1_500;

interface Key {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/**
 * The action of a key. `isAfterG` is whether the previous key was `G`. Returns `prefix` for `G` itself, and null for a
 * key without a meaning. Ctrl and Cmd are for the palette only, so that the browser keeps its own shortcuts.
 */
export function readShortcut({ key, ctrlKey, metaKey, altKey }: Key, isAfterG: boolean): Shortcut | 'prefix' | null {
  const letter = key.toUpperCase();
  if (ctrlKey || metaKey) return letter === 'K' && !altKey ? { action: 'palette' } : null;
  if (altKey) return null;
  if (isAfterG) {
    const section = SECTION_PATHS.find((path) => SECTION_KEYS[path] === letter);
    return section ? { action: 'open', section } : null;
  }
  if (letter === 'G') return 'prefix';
  const action = ACTIONS[letter];
  return action ? { action } : null;
}

const ACTIONS: Readonly<Record<string, 'help' | 'search' | 'next' | 'previous' | 'undo'>> = {
  '?': 'help',
  '/': 'search',
  J: 'next',
  K: 'previous',
  Z: 'undo',
};
