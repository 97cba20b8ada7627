/** An SMS that was sent to a number of the account. */
export interface SmsReply {
  /** The sender, in E.164 if it is a phone number. */
  from: string;
  to: string;
  body: string;
  /** The provider's id of the reply, the same in every report. */
  providerMessageId: string;
  /** The provider's id of the message that this SMS answers, if reported. */
  previousProviderMessageId: string | null;
  /** The request of the reply, by a word that all accounts have or by the report of the provider. */
  request: SmsRequest | null;
}

/** A request to receive no more messages, or to receive them again. */
export type SmsRequest = 'stop' | 'start';

/**
 * The opt-out words of Amazon's SMS service, and two that Amazon does not know: REVOKE, which 47 CFR 64.1200(a)(10)
 * names with six of the others, and STOPALL, which carriers know.
 */
const STOP_WORDS = 'ARRET CANCEL END OPTOUT QUIT REMOVE REVOKE STOP STOPALL TD UNSUBSCRIBE'.split(' ');
const START_WORDS = ['START', 'UNSTOP'];
/** Providers answer the first two themselves, and some take YES for START. */
const OTHER_WORDS = ['HELP', 'INFO', 'YES'];

/**
 * Normalises a text for the comparison of words: letters and digits, in capitals. Case, spaces, punctuation and the
 * marks that many scripts share, such as accents, do not count. Marks of one script, such as the vowels of Devanagari,
 * do.
 */
const wordOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}\p{M}]|\p{Script=Inherited}/gu, '')
    .toUpperCase();

/** The request of a text that consists of a word which all accounts have, and nothing else. */
export function requestIn(text: string): SmsRequest | null {
  const word = wordOf(text);
  if (STOP_WORDS.includes(word)) return 'stop';
  return START_WORDS.includes(word) ? 'start' : null;
}

/** The request of the reply. The account's own words are stop words, too. */
export function requestOf({ request, body }: SmsReply, ownStopWords: readonly string[]): SmsRequest | null {
  const word = wordOf(body);
  return word !== '' && ownStopWords.some((own) => wordOf(own) === word) ? 'stop' : request;
}

/** The reason why the text cannot be a stop word of the account; null if it can. */
export function stopWordFault(text: string): string | null {
  const word = wordOf(text);
  if (word === '') return 'must have a letter or digit';
  return [...START_WORDS, ...OTHER_WORDS].includes(word) ? 'is a word with another meaning' : null;
}

/** Trims the words and removes duplicates, compared without case and accents. The first spelling is kept. */
export function distinctStopWords(texts: readonly string[]): string[] {
  const words = new Map<string, string>();
  for (const text of texts) if (!words.has(wordOf(text))) words.set(wordOf(text), text.trim());
  return [...words.values()];
}
