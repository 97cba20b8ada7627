import type { Database } from '../../../platform/database/database.js';
import { containing, type Parameters } from '../../../platform/database/parameters.js';
import { searchTerms } from '../../../shared/search-terms.js';

/** The searched text of the contact `c`. Has a trigram index. */
const TEXT = 'contact_search_text(c.email, c.first_name, c.last_name, c.company)';
/** The share of an account's contacts from which a word counts as frequent. */
const FREQUENT = 0.05;
/** Each estimate takes 0.1 ms. */
const MAX_ESTIMATES = 10;

/**
 * An SQL condition: the contact `c` contains the search. The index reads the whole list of each trigram that it looks
 * for, so it does not look for `frequent` words if there are others.
 */
export function containsSearch(parameters: Parameters, search: string, frequent: ReadonlySet<string>): string {
  const contains = (text: string) => `${TEXT} LIKE lower(${parameters.add(containing(text))})`;
  const matches = searchTerms(search).map((term) => {
    const words = wordsOf(term);
    const rare = words.filter((word) => !frequent.has(word));
    if (rare.length === 0 || rare.length === words.length) return contains(term);
    return `${rare.map(contains).join(' AND ')} AND strpos(${TEXT}, lower(${parameters.add(term)})) > 0`;
  });
  return `(${matches.join(' OR ')})`;
}

/** The words of the search that many contacts contain, as the planner estimates. */
export async function frequentWords(database: Database, accountId: string, search: string): Promise<Set<string>> {
  const words = [...new Set(searchTerms(search).flatMap(wordsOf))].slice(0, MAX_ESTIMATES);
  if (words.length < 2) return new Set();
  const conditions = ['true', ...words.map((_, i) => `${TEXT} LIKE lower($${i + 2})`)];
  const counted = conditions.map(
    (condition) => `(SELECT c.id FROM contacts c WHERE c.account_id = $1 AND ${condition})`,
  );
  const [row] = await database.query<{ 'QUERY PLAN': [{ Plan: { Plans: { 'Plan Rows': number }[] } }] }>(
    `EXPLAIN (FORMAT JSON) SELECT ${counted.join(', ')}`,
    [accountId, ...words.map(containing)],
  );
  const [all = 0, ...estimates] = row?.['QUERY PLAN'][0].Plan.Plans.map((plan) => plan['Plan Rows']) ?? [];
  return new Set(words.filter((_, i) => (estimates[i] ?? 0) > all * FREQUENT));
}

/** The words that have trigrams in every locale, each with the spaces around it. */
function wordsOf(term: string): string[] {
  const words = [...term.matchAll(/[^ ]+/g)];
  return words
    .filter(([word]) => /[a-z\d]{2}/i.test(word))
    .map(({ 0: word, index }) => term.slice(Math.max(0, index - 1), index + word.length + 1));
}
