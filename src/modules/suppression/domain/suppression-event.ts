import type { DomainEvent } from '../../../shared/events.js';
import type { AddressToSuppress, Suppression } from './suppression.js';

/**
 * What the systems of the account are told of an address that was suppressed. Each event but `contact.suppressed` is about
 * an email address, so a phone number fires that one, whatever the reason. Contacts have no names yet.
 */
export function suppressionEvent(suppression: Suppression, cause: AddressToSuppress): DomainEvent {
  const { accountId, channel, address, reason, source, messageLogId, contactId, createdAt: occurredAt } = suppression;
  const contact = { contactId, firstName: null, lastName: null, campaignId: cause.campaignId ?? null };
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
