export { AccountDirectory } from './application/account-directory.service.js';
export { AccountLock } from './application/ports/account-lock.js';
export { DeliveryPauses } from './application/ports/delivery-pauses.js';
export { type EventSource, EventSources } from './application/ports/event-sources.js';
export { ProviderDirectory } from './application/ports/provider-directory.js';
export { SmsAccountStatuses } from './application/ports/sms-account-statuses.js';
export type { Account } from './domain/account.js';
export type { SmsAccountStatus } from './domain/sms-account-status.js';
