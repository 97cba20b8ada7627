import { MAX_EVIDENCE_LENGTH, MAX_WORDING_LENGTH, readConsentTime } from '../../../shared/consent-fields.js';
import { parseAddress } from '../../../shared/ip-address.js';
import type { ImportedConsent } from './contact.js';

export const CONSENT_FIELDS = ['consentAt', 'consentWording', 'consentIp', 'consentEvidence'] as const;

/** Reads the consent of an imported contact, if it has a time of one; `faults` name every invalid field. */
export function readImportedConsent(
  { consentAt, consentWording, consentIp, consentEvidence }: Record<string, unknown>,
  now: Date,
): { consent: ImportedConsent | null; faults: string[] } {
  const faults: string[] = [];
  const wording = readText('consentWording', consentWording, MAX_WORDING_LENGTH, faults);
  const evidence = readText('consentEvidence', consentEvidence, MAX_EVIDENCE_LENGTH, faults);
  const ip = readIp(consentIp, faults);
  const occurredAt = readTime(consentAt, now, faults);
  return { consent: occurredAt && { occurredAt, wording, ip, evidence }, faults };
}

function readTime(value: unknown, now: Date, faults: string[]): Date | null {
  if (value === undefined || value === null) return null;
  const read = typeof value === 'string' ? readConsentTime(value, now) : { fault: 'must be a string' };
  if ('at' in read) return read.at;
  faults.push(`consentAt ${read.fault}`);
  return null;
}

function readIp(value: unknown, faults: string[]): string | null {
  if (value === undefined || value === null) return null;
  const address = typeof value === 'string' ? parseAddress(value) : null;
  if (!address) faults.push('consentIp must be an IPv4 or IPv6 address');
  return address?.toString() ?? null;
}

function readText(name: string, value: unknown, maxLength: number, faults: string[]): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') faults.push(`${name} must be a string`);
  else if (value.length > maxLength) faults.push(`${name} must be shorter than or equal to ${maxLength} characters`);
  else if (value.includes('\0') || !value.isWellFormed())
    faults.push(`${name} holds a character that cannot be stored`);
  else return value.trim() === '' ? null : value;
  return null;
}
