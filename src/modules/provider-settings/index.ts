export { DeliveryPauses } from './application/ports/delivery-pauses.js';
export { ProviderDirectory } from './application/provider-directory.service.js';
export { ProviderSettings } from './application/ports/provider-settings.js';
export { type SmsAccountStatus, SmsAccountStatuses } from './application/ports/sms-account-statuses.js';
