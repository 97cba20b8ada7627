import { containing, type Parameters } from './parameters.js';

/** A condition: one of the terms stands anywhere in the text, whatever its case. Each term can use a trigram index. */
export function containsAny(parameters: Parameters, text: string, terms: readonly string[]): string {
  const matches = terms.map((term) => `${text} LIKE lower(${parameters.add(containing(term))})`);
  return matches.length === 1 ? (matches[0] ?? 'false') : `(${matches.join(' OR ')})`;
}
