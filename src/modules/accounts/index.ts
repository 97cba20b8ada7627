export { AccountDirectory } from './application/account-directory.service.js';
export { DeliveryPauses } from './application/ports/delivery-pauses.js';
export { type EventSource, EventSources } from './application/ports/event-sources.js';
export { ProviderDirectory } from './application/ports/provider-directory.js';
export { SmsStandings } from './application/ports/sms-standings.js';
export type { Account } from './domain/account.js';
export type { SmsStanding } from './domain/sms-standing.js';
