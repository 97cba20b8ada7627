import type { Suppression, SuppressionReason, SuppressionSource } from './suppression.js';

/** Sources that report an act of the recipient or a provider. The other ones, except the weakest, are operators. */
export const AUTOMATIC_SOURCES: readonly SuppressionSource[] = ['one_click', 'form', 'provider'];

/** The reasons in ascending order of precedence. */
export const REASON_PRECEDENCE: readonly SuppressionReason[] = [
  'manual',
  'unsubscribed',
  'sms_opt_out',
  'bounced',
  'complained',
];

/** Any other cause replaces this one. */
export const WEAKEST_SOURCE: SuppressionSource = 'sms_sync';

type Cause = Pick<Suppression, 'reason' | 'source' | 'messageLogId'>;

/**
 * Whether the new cause replaces that of an existing entry. Causes of operators replace nothing but the weakest source.
 * Among automatic causes, the more serious reason wins; then the cause of the earlier message; then the source that is
 * listed first. So the result does not depend on the order of arrival. An automatic cause also replaces an operator's,
 * unless the operator's reason is more serious: otherwise, lifting the operator's entry would lose what a recipient
 * did.
 */
export function takesPrecedence(cause: Cause, existing: Cause): boolean {
  if (existing.source === WEAKEST_SOURCE) return cause.source !== WEAKEST_SOURCE;
  if (!isAutomatic(cause)) return false;
  const [rank, existingRank] = [rankOf(cause), rankOf(existing)];
  if (rank !== existingRank) return rank > existingRank;
  if (!isAutomatic(existing)) return true;
  if (cause.messageLogId !== existing.messageLogId) {
    if (cause.messageLogId === null) return false;
    return existing.messageLogId === null || cause.messageLogId < existing.messageLogId;
  }
  return AUTOMATIC_SOURCES.indexOf(cause.source) < AUTOMATIC_SOURCES.indexOf(existing.source);
}

export const isAutomatic = ({ source }: Pick<Cause, 'source'>): boolean => AUTOMATIC_SOURCES.includes(source);

export const isFromOperator = (cause: Pick<Cause, 'source'>): boolean =>
  !isAutomatic(cause) && cause.source !== WEAKEST_SOURCE;

const rankOf = ({ reason }: Cause): number => REASON_PRECEDENCE.indexOf(reason);
