import { DomainError, OverloadError } from '../../../shared/domain-error.js';
import type { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import { Refusal } from '../../../mail/reading/refusal.js';

/** The reply for an error; null for one that is not expected. */
export function toRefusal(error: unknown, faults: DatabaseFaults): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error instanceof OverloadError) return new Refusal(421, error.message);
  if (error instanceof DomainError) return new Refusal(...replyTo(error));
  return faults.isUnavailable(error) ? new Refusal(451, 'The service is temporarily unavailable') : null;
}

function replyTo({ code, message }: DomainError): [code: number, text: string] {
  if (code === 'key_daily_limit' || code === 'daily_limit') return [452, `4.7.1 ${message}`];
  if (code === 'suppressed' || code === 'unsubscribed_from_topic' || code === 'sender_not_verified')
    return [550, `5.7.1 ${message}`];
  return [code === 'overloaded' ? 451 : 554, message];
}
