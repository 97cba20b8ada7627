import type { DomainEvent } from '../../../shared/events.js';
import type { AddressToSuppress, Suppression } from './suppression.js';
import { isAutomatic } from './suppression-precedence.js';

/** The cause of an entry before another one replaced it. */
export type FormerCause = Pick<Suppression, 'reason' | 'source'>;

/**
 * Whether writing the entry emits an event; `former` is null for an entry that was added. A report of a recipient or
 * provider after an operator suppressed the address for the same reason is an event of its own.
 */
export const emitsEvent = ({ channel, reason }: Suppression, former: FormerCause | null): boolean =>
  former === null ||
  (channel === 'email' &&
    (reason !== former.reason || !isAutomatic(former)) &&
    ['unsubscribed', 'bounced', 'complained'].includes(reason));

/**
 * The event about a suppressed address. Every type except `contact.suppressed` is about something that happened to mail
 * to an address, so a phone number and an entry of an uploaded list cause that one, whatever the reason.
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
  const emailContact = { email: address, ...contact };
  const kind = channel === 'email' && !cause.isFromList ? reason : null;
  if (kind === 'unsubscribed') {
    const strings = { contactId: contactId ?? '', firstName: firstName ?? '', lastName: lastName ?? '' };
    return { type: 'contact.unsubscribed', accountId, occurredAt, data: { ...emailContact, ...strings, source } };
  }
  if (kind === 'bounced') {
    const { diagnosticCode = null } = cause;
    const data = { ...emailContact, messageLogId, bounceType: 'hard', diagnosticCode } as const;
    return { type: 'contact.bounced', accountId, occurredAt, data };
  }
  if (kind === 'complained') {
    const { feedbackType = null } = cause;
    return { type: 'contact.complained', accountId, occurredAt, data: { ...emailContact, messageLogId, feedbackType } };
  }
  const recipient = channel === 'email' ? { email: address } : { phone: address };
  return {
    type: 'contact.suppressed',
    accountId,
    occurredAt,
    data: { ...recipient, channel, reason, source, ...contact },
  };
}
