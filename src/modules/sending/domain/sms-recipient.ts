import { parsePhoneNumberFromString } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/max/metadata';

import { normalisePhone } from '../../../shared/phone-number.js';

const SHORT_CODE = /^\+?\d{3,6}$/;

/**
 * Types of number that receive no SMS, or charge for them. All others are accepted: most numbers of North America may
 * be either mobile or landline.
 */
const REFUSED: Record<string, string> = {
  FIXED_LINE: 'is a landline, which receives no SMS',
  PREMIUM_RATE: 'is a premium-rate number',
  SHARED_COST: 'is a shared-cost number, which receives no SMS',
  TOLL_FREE: 'is a toll-free number, which receives no SMS',
  PAGER: 'is a pager, which receives no SMS',
  UAN: 'is a company number, which receives no SMS',
  VOICEMAIL: 'is a voicemail number, which receives no SMS',
};

/** Parses a recipient into E.164. A `fault` completes a sentence that begins with the name of the field. */
export function parseSmsRecipient(text: string): { number: string } | { fault: string } {
  if (SHORT_CODE.test(text.trim())) return { fault: 'is a short code: SMS go to phone numbers only' };
  const number = normalisePhone(text);
  if (number === null) return { fault: 'must be a phone number in E.164 format or of 10 digits (US)' };
  const type = parsePhoneNumberFromString(number, metadata)?.getType();
  const fault = type && REFUSED[type];
  return fault === undefined ? { number } : { fault };
}
