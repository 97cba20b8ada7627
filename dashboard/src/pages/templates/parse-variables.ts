/** Parses the JSON of variables. Returns null for anything but an object. */
export function parseVariables(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/**
 * Returns those names of a template for which there is no value. A name within a section can be a field of its items,
 * so it is looked for in all objects.
 */
export function missingNames(names: readonly string[], variables: Record<string, unknown>): string[] {
  const known = new Set(keysIn(variables));
  return [...new Set(names.map(rootOf))].filter((name) => !known.has(name));
}

/** `order.number` becomes `order`. */
const rootOf = (name: string): string => name.replace(/\..*/, '');

function keysIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(keysIn)];
}
