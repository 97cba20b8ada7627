import type { Scope } from '../../api/types';

/** What each scope lets a key do. */
export const SCOPES: Readonly<Record<Scope, string>> = {
  send: 'Send email',
  read_events: 'Read the messages it sent, with their events and statistics',
  'contacts:read': 'Read contacts and lists',
  'contacts:write': 'Create, update and import contacts',
  'sms:send': 'Send SMS',
};
