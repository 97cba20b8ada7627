import type { Scope } from '../../api/types';

/** What each scope lets a key do. */
export const SCOPES: Readonly<Record<Scope, string>> = {
  send: 'Send e-mail',
  read_events: 'Read the messages it sent, their events and counts',
  'contacts:read': 'Read contacts and lists',
  'contacts:write': 'Create, change and import contacts',
  'sms:send': 'Send SMS',
};
