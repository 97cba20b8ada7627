import { type Finding, found, missing, unknown } from '../domain/check.js';
import type { SesStatus } from './ports/email-identities.js';
import type { DnsFault } from './published-records.js';

const WORDS: Record<Exclude<SesStatus, 'SUCCESS'>, string> = {
  NOT_STARTED: 'SES has not begun to look for the records',
  PENDING: 'SES has not found the records yet',
  FAILED: 'SES has given up looking for the records, and begins anew',
  TEMPORARY_FAILURE: 'SES cannot look for the records at the moment',
};

/** SES decides. Where it has not, a record that is certainly missing or wrong in DNS counts as missed. */
export function judge(status: SesStatus, error: string | null, fault: DnsFault | null): Finding {
  if (status === 'SUCCESS') return found(fault?.isCertain ? `SES has verified it, but now ${fault.detail}` : null);
  const words = error === null ? WORDS[status] : `${WORDS[status]} (${error})`;
  const detail = `${words}. ${fault?.detail ?? 'DNS has them all: wait for SES'}`;
  return status === 'FAILED' || fault?.isCertain ? missing(detail) : unknown(detail);
}
