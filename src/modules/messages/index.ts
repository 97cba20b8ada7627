export { DailyCaps } from './application/daily-caps.service.js';
export { DeliveryAlarm } from './application/ports/delivery-alarm.js';
export { DeliveryLedger } from './application/ports/delivery-ledger.js';
export { EarlierRequests } from './application/ports/earlier-requests.js';
export { MessageIntake } from './application/ports/message-intake.js';
export { type RecipientContact, RecipientContacts } from './application/ports/recipient-contacts.js';
export { VisitLedger } from './application/ports/visit-ledger.js';
export type { ReportedVisit } from './domain/reported-visit.js';
export type { ClaimedMessage, DeliveryOutcome, NewMessage } from './domain/delivery.js';
export type { RequestMark } from './domain/earlier-request.js';
export { type CapUsage, tighterCap } from './domain/daily-caps.js';
export { EventLedger } from './application/ports/event-ledger.js';
export { ERASED_RECIPIENT } from './domain/message-log.js';
export { eventId } from './domain/event-id.js';
export type {
  FoundMessage,
  MessageReference,
  RecordedEvent,
  ReportedEvent,
  ReportedMessage,
} from './domain/reported-event.js';
