import { domainToASCII, domainToUnicode } from 'node:url';

import { foldCase } from './fold-case.js';

/**
 * The spellings under which a part of a normalised address may stand: lower case, composed (NFC), and what can be a
 * domain in punycode. Of an internationalised domain, whole labels are found.
 */
export function addressSearchTerms(search: string): string[] {
  const composed = foldCase(search);
  return unique([composed, domainIn(composed, domainToASCII)]);
}

/**
 * The spellings under which the same text may stand where it is kept as it was given: composed or decomposed, what can
 * be a domain in punycode or not.
 */
export function searchTerms(search: string): string[] {
  const composed = search.normalize('NFC');
  const spellings = [composed, domainIn(composed, domainToASCII), domainIn(composed, domainToUnicode)];
  return unique(spellings.flatMap((text) => [text, text.normalize('NFD')]));
}

const IS_ASCII = /^[\x20-\x7e]*$/;
const isUnchanged = (text: string): boolean => IS_ASCII.test(text) && !/xn--/i.test(text);
/** What `domainToASCII` would read as something else than a domain, as it reads its text as the host of a URL. */
const IN_NO_DOMAIN = /[\0-\x20!-,/:-@[-`{-\x7f]/;

/** The search with each label after the last `@` converted; as it is where there is nothing to convert. */
function domainIn(search: string, convert: (label: string) => string): string {
  if (isUnchanged(search)) return search;
  const at = search.lastIndexOf('@') + 1;
  const domain = search.slice(at);
  if (IN_NO_DOMAIN.test(domain)) return search;
  const labels = domain.split('.').map((label) => (isUnchanged(label) ? label : convert(label) || label));
  return search.slice(0, at) + labels.join('.');
}

const unique = (texts: string[]): string[] => [...new Set(texts)];
