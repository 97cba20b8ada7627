import type { DomainEvent } from '../../../shared/events.js';
import type { AddressToSuppress, Suppression } from './suppression.js';

/**
 * What the systems of the account are told of an address that was suppressed. Each event but `contact.suppressed` is about
 * an email address, so a phone number fires that one, whatever the reason.
 */
export function suppressionEvent(
  suppression: Suppression,
  cause: AddressToSuppress,
  names: { firstName: string | null; lastName: string | null } = { firstName: null, lastName: null },
): DomainEvent {
  const { accountId, channel, address, reason, source, messageLogId, contactId, createdAt: occurredAt } = suppression;
  const { firstName, lastName } = names;
  const contact = { contactId, firstName, lastName, campaignId: cause.campaignId ?? null };
  const about = { email: address, ...contact };
  if (channel === 'email' && reason === 'unsubscribed') {
    return { type: 'contact.unsubscribed', accountId, occurredAt, data: { ...about, source } };
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
