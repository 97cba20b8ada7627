/** What is searched, of rows called `m`: the same text that the trigram index holds. */
export const SEARCH_TEXT = 'message_search_text(m.recipient, m.sender, m.subject)';

/** Trigrams are made of letters and digits in a row; of ASCII alone where the database knows no others. */
export const hasTrigram = (part: string, unicode: boolean): boolean =>
  unicode ? /[\p{L}\p{N}]{3}/u.test(part) : /[a-z0-9]{3}/i.test(part);

/** A search for several terms can use the index if each of them can. */
export const haveTrigrams = (terms: readonly string[], unicode: boolean): boolean =>
  terms.every((term) => hasTrigram(term, unicode));
