import type { ContactStatus } from './contact.js';

/** The status of a contact whose address is suppressed for this reason; `active` if it is not suppressed. */
export function statusForReason(reason: string | undefined): ContactStatus {
  if (reason === undefined) return 'active';
  return reason === 'bounced' || reason === 'complained' ? reason : 'unsubscribed';
}
