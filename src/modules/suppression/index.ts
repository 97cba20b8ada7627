export { LiftSuppressions } from './application/lift-suppressions.service.js';
export { SuppressAddresses } from './application/suppress-addresses.service.js';
export { UnsubscribeLinks } from './application/ports/unsubscribe-links.js';
export { SuppressionList } from './application/suppression-list.service.js';
export type { AddressToSuppress } from './domain/suppression.js';
