/** Collects the values of a statement while its text is being built. */
export class Parameters {
  readonly values: unknown[];

  constructor(...first: unknown[]) {
    this.values = first;
  }

  /** Adds a value and returns its placeholder. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** A LIKE pattern for text that contains the part literally. */
export const containing = (part: string): string => `%${escapeLike(part)}%`;

export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** An SQL condition: the text contains one of the terms, regardless of case. Each term can use a trigram index. */
export function containsAny(parameters: Parameters, text: string, terms: readonly string[]): string {
  const matches = terms.map((term) => `${text} LIKE lower(${parameters.add(containing(term))})`);
  return matches.length === 1 ? (matches[0] ?? 'false') : `(${matches.join(' OR ')})`;
}
