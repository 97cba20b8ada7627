/** Names the first text in the value that PostgreSQL cannot store: NUL, or half a surrogate pair. */
export function unstorableFault(value: unknown): string | undefined {
  const path = findUnstorable(value)?.join('.');
  if (path === undefined) return undefined;
  // The path may hold such a character itself.
  const name = path.toWellFormed().replaceAll('\0', '\ufffd');
  return `${name || 'The body'} holds a character that cannot be stored`;
}

/** The path of a value that cannot be stored. Allocates nothing if there is none. */
function findUnstorable(value: unknown): string[] | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : [];
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const found = findUnstorable(value[i]);
      if (found) return [String(i), ...found];
    }
  } else if (typeof value === 'object' && value !== null && !Buffer.isBuffer(value)) {
    for (const key of Object.keys(value)) {
      const found = isStorable(key) ? findUnstorable((value as Record<string, unknown>)[key]) : [];
      if (found) return [key, ...found];
    }
  }
  return undefined;
}

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
