export { DailyCaps } from './application/daily-caps.service.js';
export { DeliveryJobs } from './application/ports/delivery-jobs.js';
export { PendingDeliveryRepository } from './application/ports/pending-delivery.repository.js';
export { IdempotencyStore } from './application/ports/idempotency-store.js';
export { MessageIntake } from './application/ports/message-intake.js';
export { type RecipientContact, RecipientContacts } from './application/ports/recipient-contacts.js';
export { VisitRepository } from './application/ports/visit.repository.js';
export type { ReportedVisit } from './domain/reported-visit.js';
export type { ClaimedMessage, DeliveryOutcome, NewMessage } from './domain/delivery.js';
export type { IdempotencyKey } from './domain/idempotency-record.js';
export { type CapUsage, tighterCap } from './domain/daily-caps.js';
export { TimelineRepository } from './application/ports/timeline.repository.js';
export { eventId } from './domain/event-id.js';
export type {
  FoundMessage,
  MessageReference,
  RecordedEvent,
  ReportedEvent,
  ReportedMessage,
} from './domain/reported-event.js';
