import type { ContactStatus } from './contact.js';

/** Of a contact whose address is suppressed for this reason; without one it is active. */
export function statusOf(reason: string | undefined): ContactStatus {
  if (reason === undefined) return 'active';
  return reason === 'bounced' || reason === 'complained' ? reason : 'unsubscribed';
}
