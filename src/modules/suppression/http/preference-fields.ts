import type { Preferences } from '../application/read-preferences.service.js';
import type { PreferenceChoices } from '../application/change-preferences.service.js';

export const ACTION = 'action';
/** The values of ACTION, which the buttons send. */
export const SAVE = 'save';
export const EVERYTHING = 'everything';
/** The choices that the page showed, with their state then: an old page does not undo later changes. */
export const SHOWN = 'shown';
export const CHOSEN = 'in';
/** Stands in the place of a topic id. */
export const TRACKING = 'tracking';

const STATES = { in: true, out: false } as const;

export const shownValue = (id: string, isIn: boolean): string => `${id}.${isIn ? 'in' : 'out'}`;

/** Reads the choices that the person made on the page. */
export function readChoices(fields: URLSearchParams, trackingWords: string): PreferenceChoices {
  const chosen = new Set(fields.getAll(CHOSEN));
  const changed = new Map<string, boolean>();
  const notChosen = new Set<string>();
  for (const value of fields.getAll(SHOWN)) {
    const [id = '', state = ''] = value.split('.', 2);
    if (!Object.hasOwn(STATES, state)) continue;
    const [was, is] = [STATES[state as keyof typeof STATES], chosen.has(id)];
    if (was !== is) changed.set(id, is);
    else if (!is) notChosen.add(id);
  }
  return { topics: changed, notChosen, isTracked: changed.get(TRACKING) ?? null, trackingWords };
}

/** Each choice of the page: its key in the form, and whether it is made. */
export const choicesOf = ({ topics, isTracked }: Preferences): [string, boolean][] => [
  ...topics.map(({ topic, isSubscribed }): [string, boolean] => [topic.id, isSubscribed]),
  ...(isTracked === null ? [] : ([[TRACKING, isTracked]] as [string, boolean][])),
];
