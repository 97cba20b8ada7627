import type { RecordFault } from '../application/dns-checks.js';
import type { SesStatus } from '../application/ports/email-identities.js';
import { type CheckResult, found, missing, unknown } from '../domain/check.js';

const DETAILS: Record<Exclude<SesStatus, 'SUCCESS'>, string> = {
  NOT_STARTED: 'SES has not begun to look for the records',
  PENDING: 'SES has not found the records yet',
  FAILED: 'SES has given up looking for the records, and starts again',
  TEMPORARY_FAILURE: 'SES cannot look for the records at the moment',
};

/** SES decides. Until it has decided, a record that is certainly missing or wrong in DNS makes the result `missing`. */
export function sesCheckResult(status: SesStatus, error: string | null, fault: RecordFault | null): CheckResult {
  if (status === 'SUCCESS') return found(fault?.isCertain ? `SES has verified it, but now ${fault.detail}` : null);
  const reason = error === null ? DETAILS[status] : `${DETAILS[status]} (${error})`;
  const detail = `${reason}. ${fault?.detail ?? 'DNS has them all: wait for SES'}`;
  return status === 'FAILED' || fault?.isCertain ? missing(detail) : unknown(detail);
}
