/** What is searched, of rows called `m`: the same text that the trigram index holds. */
export const SEARCH_TEXT = 'message_search_text(m.recipient, m.sender, m.subject)';

/** Trigrams are made of letters and digits in a row. */
export const hasTrigram = (part: string): boolean => /[\p{L}\p{N}]{3}/u.test(part);
