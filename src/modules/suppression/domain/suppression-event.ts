import type { DomainEvent } from '../../../shared/events.js';
import type { AddressToSuppress, Suppression, SuppressionReason } from './suppression.js';

/** Whether it is news that the entry has its reason now; one that stood had the former. */
export const isToldOf = ({ channel, reason }: Suppression, formerReason: SuppressionReason | null): boolean =>
  formerReason === null ||
  (channel === 'email' && reason !== formerReason && ['unsubscribed', 'bounced', 'complained'].includes(reason));

/**
 * What the systems of the account are told of an address that was suppressed. Each event but `contact.suppressed` is about
 * an email address, so a phone number fires that one, whatever the reason.
 */
export function suppressionEvent(
  suppression: Suppression,
  cause: AddressToSuppress,
  occurredAt: Date,
  names: { firstName: string | null; lastName: string | null } = { firstName: null, lastName: null },
): DomainEvent {
  const { accountId, channel, address, reason, source, messageLogId, contactId } = suppression;
  const { firstName, lastName } = names;
  const contact = { contactId, firstName, lastName, campaignId: cause.campaignId ?? null };
  const about = { email: address, ...contact };
  if (channel === 'email' && reason === 'unsubscribed') {
    const strings = { contactId: contactId ?? '', firstName: firstName ?? '', lastName: lastName ?? '' };
    return { type: 'contact.unsubscribed', accountId, occurredAt, data: { ...about, ...strings, source } };
  }
  if (channel === 'email' && reason === 'bounced') {
    const { diagnosticCode = null } = cause;
    const data = { ...about, messageLogId, bounceType: 'hard', diagnosticCode } as const;
    return { type: 'contact.bounced', accountId, occurredAt, data };
  }
  if (channel === 'email' && reason === 'complained') {
    const { feedbackType = null } = cause;
    return { type: 'contact.complained', accountId, occurredAt, data: { ...about, messageLogId, feedbackType } };
  }
  const who = channel === 'email' ? { email: address } : { phone: address };
  return { type: 'contact.suppressed', accountId, occurredAt, data: { ...who, channel, reason, source, ...contact } };
}
