import {
  MAX_CONTACT_NAME_LENGTH,
  MAX_CONTACT_TAGS,
  MAX_CONTACT_TAG_LENGTH,
  MAX_LISTS_OF_CONTACT,
} from '../../../config/limits.js';
import { attributeFaults } from '../../../shared/attributes.js';
import { emailFault, isEmailAddress } from '../../../shared/email-address.js';
import { isRecord } from '../../../shared/is-record.js';
import { isSingleLine } from '../../../shared/text.js';
import { type ContactRow, WRITABLE_STATUSES } from './contact.js';
import { CONSENT_FIELDS, readImportedConsent } from './read-imported-consent.js';

const MAX_UNKNOWN_LISTED = 20;
const MAX_UNKNOWN_LENGTH = 100;
const TEXT_FIELDS = ['firstName', 'lastName', 'company'] as const;
const FIELDS: ReadonlySet<string> = new Set([
  ...['email', ...TEXT_FIELDS, 'attributes', 'tags', 'status', 'listIds'],
  ...CONSENT_FIELDS,
]);

/** Reads one contact of an import. `fault` names every invalid field. */
export function readContactRow(value: unknown, now: Date): ContactRow | { fault: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { fault: 'must be an object' };
  const row = value as Record<string, unknown>;
  const faults = unknownFields(row);
  const add = (fault: string | null) => fault !== null && faults.push(fault);
  if (typeof row.email !== 'string' || !isEmailAddress(row.email)) add(`email ${emailFault(row.email)}`);
  for (const name of TEXT_FIELDS) add(faultOfText(name, row[name]));
  faults.push(...faultsOfAttributes(row.attributes));
  add(faultOfTexts('tags', row.tags, MAX_CONTACT_TAGS, MAX_CONTACT_TAG_LENGTH));
  if (!isStatus(row.status)) add(`status must be ${WRITABLE_STATUSES.join(' or ')}`);
  add(faultOfTexts('listIds', row.listIds, MAX_LISTS_OF_CONTACT, MAX_CONTACT_TAG_LENGTH));
  const { consent, faults: consentFaults } = readImportedConsent(row, now);
  faults.push(...consentFaults);
  if (faults.length > 0) return { fault: faults.join('; ') };
  return consent ? { ...(row as unknown as ContactRow), consents: [consent] } : (row as unknown as ContactRow);
}

function unknownFields(row: Record<string, unknown>): string[] {
  const unknown = Object.keys(row).filter((name) => !FIELDS.has(name));
  if (unknown.length === 0) return unknown;
  const named = unknown
    .slice(0, MAX_UNKNOWN_LISTED)
    .map((name) => `${name.slice(0, MAX_UNKNOWN_LENGTH)} is not a known field`);
  const more = unknown.length - named.length;
  return more > 0 ? [...named, `${more} more are not known fields`] : named;
}

const isStatus = (value: unknown): boolean =>
  value === undefined || value === null || (WRITABLE_STATUSES as readonly unknown[]).includes(value);

function faultOfText(name: string, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') return `${name} must be a string`;
  if (value.length > MAX_CONTACT_NAME_LENGTH)
    return `${name} must be shorter than or equal to ${MAX_CONTACT_NAME_LENGTH} characters`;
  if (!value.isWellFormed()) return `${name} holds a character that cannot be stored`;
  return isSingleLine(value) ? null : `${name} must not hold line breaks or control characters`;
}

const faultsOfAttributes = (value: unknown): string[] =>
  value == null || isRecord(value) ? attributeFaults(value) : ['attributes must be an object'];

function faultOfTexts(name: string, value: unknown, maxCount: number, maxLength: number): string | null {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value)) return `${name} must be an array`;
  if (value.length > maxCount) return `${name} must contain no more than ${maxCount} elements`;
  const isText = (item: unknown): boolean =>
    typeof item === 'string' &&
    item.length > 0 &&
    item.length <= maxLength &&
    item.isWellFormed() &&
    isSingleLine(item);
  return value.every(isText) ? null : `each value in ${name} must be a line of 1 to ${maxLength} characters`;
}
