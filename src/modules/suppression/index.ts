export { ErasedAddresses } from './application/erased-addresses.service.js';
export { LiftSuppressions } from './application/lift-suppressions.service.js';
export { SuppressAddresses } from './application/suppress-addresses.service.js';
export {
  type ContactAddress,
  type ContactDetails,
  SuppressedContacts,
} from './application/ports/suppressed-contacts.js';
export { Unsubscribe } from './application/unsubscribe.service.js';
export { UnsubscribeLinks } from './application/ports/unsubscribe-links.js';
export type { SubmissionRefusal } from './application/ports/suppression.repository.js';
export { SmsOptOuts } from './application/sms-opt-outs.service.js';
export { SuppressionList } from './application/suppression-list.service.js';
export type { AddressToSuppress, SuppressionReason } from './domain/suppression.js';
