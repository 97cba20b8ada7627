export { ConsentContacts } from './application/ports/consent-contacts.js';
export { ConsentTopics } from './application/ports/consent-topics.js';
export { RecordConsents } from './application/record-consents.service.js';
export { type ConsentRecord, type ConsentSource, type NewConsent } from './domain/consent.js';
export { ReadConsents } from './application/read-consents.service.js';
export { RestoreConsents } from './application/restore-consents.service.js';
export { RequiredConsent } from './application/required-consent.service.js';
export { TrackingConsents } from './application/tracking-consents.service.js';
export {
  joinStanding,
  lacksConsent,
  lacksTrackingConsent,
  standingState,
  topicWithdrawals,
} from './infrastructure/standing.sql.js';
