import type { Schemas } from '../../api/types';

type Attributes = Schemas['ContactResponse']['attributes'];
type AttributeChanges = Record<string, Attributes[string] | null>;

export const MAX_ATTRIBUTES = 50;
const KEY = /^(?!__proto__$)[A-Za-z0-9_]{1,40}$/;

export const isKey = (key: string): boolean => KEY.test(key);

/** An attribute in a form. */
export interface AttributeRow {
  key: string;
  text: string;
}

/** Sorted by name. */
export const rowsOf = (attributes: Attributes = {}): AttributeRow[] =>
  Object.entries(attributes)
    .map(([key, value]) => ({ key, text: String(value) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));

/**
 * The changes that turn the stored attributes into those of the form: only those that differ, because an import may
 * have changed others, and null for removed ones. Rows without a name are ignored.
 */
export function changesTo(rows: readonly AttributeRow[], former: Attributes = {}): AttributeChanges {
  const named = new Map(rows.flatMap(({ key, text }) => (key.trim() === '' ? [] : [[key.trim(), text] as const])));
  const removed = Object.keys(former).filter((key) => !named.has(key));
  const changed = [...named].filter(([key, text]) => !Object.hasOwn(former, key) || String(former[key]) !== text);
  return Object.fromEntries([
    ...removed.map((key) => [key, null] as const),
    ...changed.map(
      ([key, text]) => [key, valueOf(text, Object.hasOwn(former, key) ? former[key] : undefined)] as const,
    ),
  ]);
}

/** Applies the edits since `former` was shown to the stored rows: somebody else may have changed others. */
export function rebase(
  former: readonly AttributeRow[],
  shown: readonly AttributeRow[],
  stored: readonly AttributeRow[],
): AttributeRow[] {
  const before = new Map(former.map(({ key, text }) => [key, text]));
  const edited = shown.filter(({ key, text }) => before.get(key) !== text);
  const gone = new Set(former.map(({ key }) => key).filter((key) => !shown.some((row) => row.key === key)));
  const isKept = ({ key }: AttributeRow) => !gone.has(key) && !edited.some((row) => row.key === key);
  return [...stored.filter(isKept), ...edited];
}

/** Parses a text that is a number or a boolean in JSON as one, unless the attribute was a text before. */
function valueOf(text: string, former: Attributes[string] | undefined): Attributes[string] {
  if (typeof former === 'string') return text;
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
  return isExact && String(number) === text ? number : text;
}
