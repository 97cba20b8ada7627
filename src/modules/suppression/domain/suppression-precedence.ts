import type { Suppression, SuppressionReason, SuppressionSource } from './suppression.js';

/**
 * Sources that report an act of the recipient or a provider. Entries of operators (API, dashboard, import) do not
 * change.
 */
export const AUTOMATIC_SOURCES: readonly SuppressionSource[] = ['one_click', 'form', 'provider'];

/** Ascending. */
export const REASON_PRECEDENCE: readonly SuppressionReason[] = ['manual', 'unsubscribed', 'bounced', 'complained'];

/** Any other cause replaces this one. */
export const WEAKEST_SOURCE: SuppressionSource = 'sms_sync';

type Cause = Pick<Suppression, 'reason' | 'source' | 'messageLogId'>;

/**
 * Whether the new cause replaces that of an existing entry: the more serious reason wins; of equal reasons, that of the
 * earlier message; for the same message, the source listed first. The result does not depend on the order of arrival.
 */
export function takesPrecedence(cause: Cause, existing: Cause): boolean {
  if (existing.source === WEAKEST_SOURCE) return cause.source !== WEAKEST_SOURCE;
  const [rank, existingRank] = [rankOf(cause), rankOf(existing)];
  if (rank === null || existingRank === null) return false;
  if (rank !== existingRank) return rank > existingRank;
  if (cause.messageLogId !== existing.messageLogId) {
    if (cause.messageLogId === null) return false;
    return existing.messageLogId === null || cause.messageLogId < existing.messageLogId;
  }
  return AUTOMATIC_SOURCES.indexOf(cause.source) < AUTOMATIC_SOURCES.indexOf(existing.source);
}

/** Null for a cause that neither replaces nor is replaced. */
function rankOf({ reason, source }: Cause): number | null {
  const rank = REASON_PRECEDENCE.indexOf(reason);
  return rank < 0 || !AUTOMATIC_SOURCES.includes(source) ? null : rank;
}
