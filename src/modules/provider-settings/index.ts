export { DeliveryPauses } from './application/ports/delivery-pauses.js';
export { type EventSource, EventSources } from './application/ports/event-sources.js';
export { ProviderDirectory } from './application/ports/provider-directory.js';
export { SmsAccountStatuses } from './application/ports/sms-account-statuses.js';
export type { SmsAccountStatus } from './domain/sms-account-status.js';
export { presentCarrier, presentSetUp } from './infrastructure/provider-key.sql.js';
