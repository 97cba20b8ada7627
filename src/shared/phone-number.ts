import { parsePhoneNumberFromString } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/min/metadata';

const PUNCTUATION = /[\s().-]/g;
const E164 = /^\+[1-9]\d{6,14}$/;
const SHORT_CODE = /^\d{5,6}$/;
const TEN_DIGITS_US = /^[2-9]\d{9}$/;

/**
 * Converts E.164 or a 10-digit US number, with or without blanks and punctuation, to E.164; null for anything else. The
 * length is checked, not the assigned ranges: these change faster than the lists of them.
 */
export function normalisePhone(text: string): string | null {
  const bare = text.trim().replace(PUNCTUATION, '');
  if (!E164.test(bare) && !TEN_DIGITS_US.test(bare)) return null;
  const number = parsePhoneNumberFromString(bare, 'US', metadata);
  return number?.isPossible() ? number.number : null;
}

/** A sender of SMS: a short code unchanged, or a number as `normalisePhone` returns it; null for anything else. */
export const normaliseSmsSender = (text: string): string | null =>
  SHORT_CODE.test(text) ? text : normalisePhone(text);
