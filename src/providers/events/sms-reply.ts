/** An SMS that was sent to a number of the account. */
export interface SmsReply {
  /** In E.164 if it is a phone number. */
  from: string;
  to: string;
  body: string;
  /** The provider's id of the reply, the same in every report. */
  providerMessageId: string;
  /** The provider's id of the message that it answers, if reported. */
  previousProviderMessageId: string | null;
  /** What it asks for, by a word that all accounts have or by what the provider says. */
  request: SmsRequest | null;
}

/** To get no more messages, or to get them again. */
export type SmsRequest = 'stop' | 'start';

/**
 * The words that put a number on the opt-out list of Amazon's SMS service, and those of them that Amazon does not know:
 * REVOKE, which 47 CFR 64.1200(a)(10) names with six of the others, and STOPALL, which carriers know.
 */
const STOP_WORDS = 'ARRET CANCEL END OPTOUT QUIT REMOVE REVOKE STOP STOPALL TD UNSUBSCRIBE'.split(' ');
const START_WORDS = ['START', 'UNSTOP'];
/** Providers answer the first two themselves, and some take YES for START. */
const OTHER_WORDS = ['HELP', 'INFO', 'YES'];

/**
 * What makes a text a word: letters and digits, in capitals. Case, spaces, punctuation and the marks that many scripts
 * share, such as accents, do not count. Marks of one script, such as the vowels of Devanagari, do.
 */
const wordOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}\p{M}]|\p{Script=Inherited}/gu, '')
    .toUpperCase();

/** What a text asks for that is a word which all accounts have, and nothing else. */
export function requestIn(text: string): SmsRequest | null {
  const word = wordOf(text);
  if (STOP_WORDS.includes(word)) return 'stop';
  return START_WORDS.includes(word) ? 'start' : null;
}

/** What the reply asks for. The words of the account are stop words, too. */
export function requestOf({ request, body }: SmsReply, ownStopWords: readonly string[]): SmsRequest | null {
  const word = wordOf(body);
  return word !== '' && ownStopWords.some((own) => wordOf(own) === word) ? 'stop' : request;
}

/** Why the account cannot have the text as a stop word of its own; null if it can. */
export function stopWordFault(text: string): string | null {
  const word = wordOf(text);
  if (word === '') return 'must have a letter or digit';
  return [...START_WORDS, ...OTHER_WORDS].includes(word) ? 'is a word with another meaning' : null;
}

/** Trimmed, and each once, whatever its case and accents: as it was written first. */
export function distinctStopWords(texts: readonly string[]): string[] {
  const words = new Map<string, string>();
  for (const text of texts) if (!words.has(wordOf(text))) words.set(wordOf(text), text.trim());
  return [...words.values()];
}
