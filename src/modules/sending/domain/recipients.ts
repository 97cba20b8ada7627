import { MAX_COPIES } from '../../../config/limits.js';
import { emailFault, hasAsciiLocalPart, isEmailAddress, normaliseEmail } from '../../../shared/email-address.js';
import type { MessageRole } from '../../../shared/mail-recipients.js';

export type CopyRole = 'cc' | 'bcc';

export interface Copy {
  role: MessageRole;
  /** As given, trimmed. */
  email: string;
  normalised: string;
  /** Recognises this copy if it is repeated without the others. */
  idempotencyKey?: { key: string; fingerprint: string };
}

interface Recipients {
  to: string;
  cc?: readonly string[] | null;
  bcc?: readonly string[] | null;
  submitted?: { copies: readonly Copy[] } | undefined;
}

/**
 * The recipients of copies: cc, then bcc. An address that occurs several times counts once, in its first role. A
 * submitted mail has its copies already.
 */
export function copiesOf({ to, cc, bcc, submitted }: Recipients): readonly Copy[] {
  if (submitted) return submitted.copies;
  if (!cc?.length && !bcc?.length) return [];
  const seen = new Set([normaliseEmail(to)]);
  const given = [
    ...(cc ?? []).map((email) => ({ role: 'cc' as const, email })),
    ...(bcc ?? []).map((email) => ({ role: 'bcc' as const, email })),
  ];
  return given.flatMap(({ role, email }) => {
    const normalised = normaliseEmail(email);
    if (seen.has(normalised)) return [];
    seen.add(normalised);
    return [{ role, email: email.trim(), normalised }];
  });
}

/** Validation errors of a list of addresses of a request. */
export const addressFaults =
  (field: CopyRole) =>
  (value: unknown): string[] => {
    if (!Array.isArray(value)) return [];
    if (value.length > MAX_COPIES) return [`${field} must have at most ${MAX_COPIES} addresses`];
    return value.flatMap((email: unknown, i) => {
      if (typeof email !== 'string' || !isEmailAddress(email)) return [`${field}[${i}] ${emailFault(email)}`];
      return field === 'cc' && !hasAsciiLocalPart(email)
        ? [`cc[${i}] must have only ASCII characters before the @`]
        : [];
    });
  };
