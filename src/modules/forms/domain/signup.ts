import { SIGNUP_DAYS } from '../../../config/limits.js';
import { MAX_USER_AGENT_LENGTH } from '../../../shared/consent-fields.js';
import { parseAddress } from '../../../shared/ip-address.js';
import type { PageLanguage } from '../../../shared/page-language.js';
import { isSingleLine } from '../../../shared/text.js';
import { DAY_MS } from '../../../shared/utc.js';

/**
 * `received`: nothing is decided yet. `admitted`: the confirmation mail is to be sent. `mailed`: it was accepted.
 * `confirmed`: the person has used its link.
 */
export const SIGNUP_STATES = ['received', 'admitted', 'mailed', 'confirmed'] as const;
export type SignupState = (typeof SIGNUP_STATES)[number];

/** A mail that could not be accepted within this time is not sent any more: idempotency keys live for 24 hours. */
export const MAIL_WITHIN_MS = 23 * 3_600_000;
export const MAIL_RETRY_MS = 15 * 60_000;

/** In characters, like the fields of a contact. */
const MAX_FIELD_LENGTH = 200;

/** A submission of a form. */
export interface Signup {
  id: string;
  accountId: string;
  formId: string;
  /** The version of the form's wording when it was submitted. */
  wordingVersion: number;
  /** As given, trimmed. */
  email: string;
  normalisedEmail: string;
  firstName: string | null;
  lastName: string | null;
  company: string | null;
  language: PageLanguage;
  /** Null if a proxy has named the client in another way. */
  ip: string | null;
  userAgent: string | null;
  createdAt: Date;
}

/** A sign-up with the wording that the person agreed to. */
export interface WordedSignup extends Signup {
  wording: string;
  /** The topics that go with the words; null if they are those of the form. */
  topicIds: string[] | null;
  state: SignupState;
  confirmedAt: Date | null;
}

export const expiresAt = ({ createdAt }: Pick<Signup, 'createdAt'>): Date =>
  new Date(createdAt.getTime() + SIGNUP_DAYS * DAY_MS);

/** The number of a version, as such or as text; null for anything else. */
export function readVersion(value: unknown): number | null {
  const version = typeof value === 'string' || typeof value === 'number' ? Number(value) : NaN;
  return Number.isInteger(version) && version >= 1 && version < 2 ** 31 ? version : null;
}

/** One line of text as it can be stored; null if nothing is left. Text beyond the maximum length is cut off. */
export const cleanField = (text: unknown): string | null => cleanText(text, MAX_FIELD_LENGTH);

export const cleanUserAgent = (text: unknown): string | null => cleanText(text, MAX_USER_AGENT_LENGTH);

/** The address as it is stored; null for anything else. */
export const cleanIp = (text: string): string | null => parseAddress(text)?.toString() ?? null;

function cleanText(text: unknown, maxLength: number): string | null {
  if (typeof text !== 'string') return null;
  const wellFormed = text.toWellFormed();
  const line = isSingleLine(wellFormed) ? wellFormed : wellFormed.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  return line.trim().slice(0, maxLength).toWellFormed().trim() || null;
}

/**
 * The text if it is fit for a mail to an address that nobody has confirmed: empty if it could be read as a link, which
 * somebody else may want to have sent in the name of the account.
 */
export const harmlessName = (text: string | null): string => (text === null || LIKE_A_LINK.test(text) ? '' : text);

/** Browsers read ideographic full stops as dots, too (UTS 46). */
const LIKE_A_LINK = /[/@:\\]|[\p{L}\p{N}_][.\u3002\uff0e\uff61][\p{L}\p{N}_]/u;
