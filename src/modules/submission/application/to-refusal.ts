import { DomainError } from '../../../shared/domain-error.js';
import type { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import { Refusal } from '../domain/refusal.js';

/** The reply for an error; null for one that is not expected. */
export function toRefusal(error: unknown, faults: DatabaseFaults): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error instanceof DomainError) return new Refusal(...replyTo(error));
  return faults.isUnavailable(error) ? new Refusal(451, 'The service is temporarily unavailable') : null;
}

function replyTo({ kind, code, message }: DomainError): [code: number, text: string] {
  if (code === 'key_limit_reached' || code === 'account_cap_reached') return [452, `4.7.1 ${message}`];
  if (code === 'suppressed' || code === 'sender_not_verified') return [550, `5.7.1 ${message}`];
  if (code === 'overloaded') return [421, message];
  return [kind === 'unavailable' ? 451 : 554, message];
}
