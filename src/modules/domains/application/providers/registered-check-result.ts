import type { RecordFault } from '../dns-checks.js';
import type { IdentityStatus } from '../../../../providers/index.js';
import { type CheckResult, found, missing, unknown } from '../../domain/check.js';

const DETAILS: Record<Exclude<IdentityStatus, 'SUCCESS'>, string> = {
  NOT_STARTED: 'has not begun to look for the records',
  PENDING: 'has not found the records yet',
  FAILED: 'has given up looking for the records, and starts again',
  TEMPORARY_FAILURE: 'cannot look for the records at the moment',
};

/**
 * The provider decides. Until it has decided, a record that is certainly missing or wrong in DNS makes the result
 * `missing`.
 */
export function registeredCheckResult(
  label: string,
  status: IdentityStatus,
  error: string | null,
  fault: RecordFault | null,
): CheckResult {
  if (status === 'SUCCESS') return found(fault?.isCertain ? `${label} has verified it, but now ${fault.detail}` : null);
  const reason = `${label} ${DETAILS[status]}${error === null ? '' : ` (${error})`}`;
  const detail = `${reason}. ${fault?.detail ?? `DNS has them all: wait for ${label}`}`;
  return status === 'FAILED' || fault?.isCertain ? missing(detail) : unknown(detail);
}
