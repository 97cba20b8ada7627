import { attributeKey, type AttributeValue } from '../../../shared/attributes.js';
import { isRecord } from '../../../shared/is-record.js';

/** Values of a contact by the names of their placeholders: `firstName`, `attributes.city`. */
export type Placeholders = Readonly<Record<string, AttributeValue>>;

/** The variable that has the attributes. */
const ATTRIBUTES = 'attributes';

/** The placeholders that a content with these names uses. Empty ones are left out: then a variable may have a value. */
export function usedPlaceholders(names: ReadonlySet<string>, placeholders: Placeholders): Placeholders {
  // A section of all attributes, {{#attributes}}, may show any of them.
  const usesAll = names.has(ATTRIBUTES);
  const isUsed = (name: string): boolean => names.has(name) || (usesAll && attributeKey(name) !== null);
  return Object.fromEntries(Object.entries(placeholders).filter(([name, value]) => value !== '' && isUsed(name)));
}

/** Variables with the values of a contact, which take precedence, except empty ones. */
export function withPlaceholders(
  variables: Readonly<Record<string, unknown>> | null | undefined,
  placeholders: Placeholders,
): Record<string, unknown> {
  const all: Record<string, unknown> = { ...variables };
  const attributes: [string, unknown][] = [];
  for (const [name, value] of Object.entries(placeholders)) {
    if (value === '') continue;
    const key = attributeKey(name);
    if (key === null) all[name] = value;
    else attributes.push([key, value]);
  }
  if (attributes.length === 0) return all;
  const given = isRecord(all[ATTRIBUTES]) ? all[ATTRIBUTES] : {};
  return { ...all, [ATTRIBUTES]: { ...given, ...Object.fromEntries(attributes) } };
}

/** Sample placeholders: a contact that has every field that a content with these names shows. */
export function samplePlaceholders(names: Iterable<string>): Placeholders {
  const attributes = [...names].flatMap((name) => {
    if (name === ATTRIBUTES) return [`${ATTRIBUTES}.any`];
    return attributeKey(name) === null ? [] : [name];
  });
  const fields = { firstName: 'First', lastName: 'Last', company: 'Company' };
  return { ...fields, ...Object.fromEntries(attributes.map((name) => [name, 'Value'])) };
}
