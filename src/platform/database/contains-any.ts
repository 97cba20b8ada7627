import { containing, type Parameters } from './parameters.js';

/** An SQL condition: the text contains one of the terms, regardless of case. Each term can use a trigram index. */
export function containsAny(parameters: Parameters, text: string, terms: readonly string[]): string {
  const matches = terms.map((term) => `${text} LIKE lower(${parameters.add(containing(term))})`);
  return matches.length === 1 ? (matches[0] ?? 'false') : `(${matches.join(' OR ')})`;
}
