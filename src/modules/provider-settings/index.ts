export { DeliveryPauses } from './application/ports/delivery-pauses.js';
export { type EventSource, EventSources } from './application/ports/event-sources.js';
export { ProviderDirectory } from './application/ports/provider-directory.js';
export { type SmsAccountStatus, SmsAccountStatuses } from './application/ports/sms-account-statuses.js';
export { currentProviderKey, currentVerificationProvider } from './infrastructure/provider-key.sql.js';
