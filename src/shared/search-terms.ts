import { domainToASCII, domainToUnicode } from 'node:url';

import { foldCase } from './text.js';

/**
 * The spellings to search normalised addresses for: lower case and composed (NFC), as it is and with a possible domain
 * in punycode. Only whole labels of an internationalised domain are found.
 */
export function addressSearchTerms(search: string): string[] {
  const composed = foldCase(search);
  return unique([composed, domainIn(composed, domainToASCII)]);
}

/**
 * The spellings to search text for that is stored as it was given: composed and decomposed, with a possible domain in
 * punycode and in Unicode.
 */
export function searchTerms(search: string): string[] {
  const composed = search.normalize('NFC');
  const spellings = [composed, domainIn(composed, domainToASCII), domainIn(composed, domainToUnicode)];
  return unique(spellings.flatMap((text) => [text, text.normalize('NFD')]));
}

const IS_ASCII = /^[\x20-\x7e]*$/;
const isUnchanged = (text: string): boolean => IS_ASCII.test(text) && !/xn--/i.test(text);
/** `domainToASCII` parses its argument as the host of a URL, in which these characters have another meaning. */
const IN_NO_DOMAIN = /[\0-\x20!-,/:-@[-`{-\x7f]/;

/** Converts each label after the last `@`. Returns the search unchanged if there is nothing to convert. */
function domainIn(search: string, convert: (label: string) => string): string {
  if (isUnchanged(search)) return search;
  const at = search.lastIndexOf('@') + 1;
  const domain = search.slice(at);
  if (IN_NO_DOMAIN.test(domain)) return search;
  const labels = domain.split('.').map((label) => (isUnchanged(label) ? label : convert(label) || label));
  return search.slice(0, at) + labels.join('.');
}

const unique = (texts: string[]): string[] => [...new Set(texts)];
