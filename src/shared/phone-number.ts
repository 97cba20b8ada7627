import { parsePhoneNumberFromString } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/min/metadata';

const PUNCTUATION = /[\s().-]/g;
const E164 = /^\+[1-9]\d{6,14}$/;
const TEN_DIGITS_US = /^[2-9]\d{9}$/;

/**
 * In E.164; null for text that is neither E.164 nor a 10-digit US number, blanks and punctuation aside. Judged by length,
 * not by the ranges in use: these change faster than their lists.
 */
export function normalisePhone(text: string): string | null {
  const bare = text.trim().replace(PUNCTUATION, '');
  if (!E164.test(bare) && !TEN_DIGITS_US.test(bare)) return null;
  const number = parsePhoneNumberFromString(bare, 'US', metadata);
  return number?.isPossible() ? number.number : null;
}
