import { isRecord } from './is-record.js';

const MAX_ATTRIBUTES = 50;
/** The limit of all attributes of a contact, as JSON in UTF-8. */
const MAX_ATTRIBUTES_BYTES = 4_096;
/** Names that a placeholder can use after `attributes.`; `__proto__` is no key of a JavaScript object. */
const KEY = /^(?!__proto__$)[A-Za-z0-9_]{1,40}$/;
const MAX_KEY_SHOWN = 100;
const PREFIX = 'attributes.';

export type AttributeValue = string | number | boolean;
/** The account's own fields of a contact. */
export type Attributes = Readonly<Record<string, AttributeValue>>;
/** Absent keys are kept, null removes a key. */
export type AttributeChanges = Readonly<Record<string, AttributeValue | null>>;

/** The key in a name such as `attributes.city`; null for any other name. */
export function attributeKey(name: string): string | null {
  const key = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : '';
  return KEY.test(key) ? key : null;
}

/** Validation errors of the `attributes` of a request, unless they are no object. */
export function attributeFaults(value: unknown): string[] {
  if (!isRecord(value)) return [];
  const entries = Object.entries(value);
  if (entries.length > MAX_ATTRIBUTES) return [`attributes must have at most ${MAX_ATTRIBUTES} keys`];
  const faults = entries.flatMap(([key, given]) => {
    const fault = KEY.test(key) ? faultOfValue(given) : 'must be named by 1 to 40 letters, digits and underscores';
    return fault === null ? [] : [`${PREFIX}${printable(key)} ${fault}`];
  });
  if (faults.length > 0) return faults;
  const fault = sizeFault(value as Attributes);
  return fault === null ? [] : [fault];
}

function faultOfValue(value: unknown): string | null {
  if (value === null || typeof value === 'boolean') return null;
  if (typeof value === 'number')
    return isExact(value) ? null : 'is a number that would lose digits: write it as a string';
  if (typeof value !== 'string') return 'must be a string, a number, a boolean or null';
  return value.isWellFormed() && !value.includes('\0') ? null : 'holds a character that cannot be stored';
}

/** Whether no digits are lost: JavaScript rounds greater integers when it parses them. */
const isExact = (value: number): boolean =>
  Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));

/** The reason why the attributes of a contact are too many or too large; null if they are not. */
export function sizeFault(attributes: Attributes | null): string | null {
  if (attributes === null) return null;
  const count = Object.keys(attributes).length;
  if (count > MAX_ATTRIBUTES) return `attributes would have ${count} keys, more than ${MAX_ATTRIBUTES}`;
  const bytes = Buffer.byteLength(JSON.stringify(attributes));
  return bytes > MAX_ATTRIBUTES_BYTES
    ? `attributes would have ${bytes} bytes of JSON, more than ${MAX_ATTRIBUTES_BYTES}`
    : null;
}

/** Returns `kept` itself if nothing changes, and null if nothing is left. */
export function mergeAttributes(
  kept: Attributes | null,
  changes: AttributeChanges | null | undefined,
): Attributes | null {
  if (changes === undefined) return kept;
  if (changes === null) return null;
  const merged = new Map(Object.entries(kept ?? {}));
  for (const [key, value] of Object.entries(changes))
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  if (merged.size === 0) return null;
  const isSame = kept !== null && merged.size === Object.keys(kept).length && [...merged].every(isIn(kept));
  return isSame ? kept : Object.fromEntries(merged);
}

const isIn =
  (attributes: Attributes) =>
  ([key, value]: [string, AttributeValue]): boolean =>
    Object.hasOwn(attributes, key) && attributes[key] === value;

const printable = (key: string): string =>
  key
    .slice(0, MAX_KEY_SHOWN)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '\uFFFD');
