export { CampaignContents } from './application/ports/campaign-contents.js';
export { CampaignIntake, type PendingMessages } from './application/ports/campaign-intake.js';
export { CampaignRenderer } from './application/ports/campaign-contents.js';
export { inEitherAccount } from './application/in-either-account.js';
export { ReadMessages } from './application/read-messages.service.js';
export type { CampaignContent, CampaignIntakeOutcome, NewCampaignMessage } from './domain/campaign-content.js';
export type { MessageContent, StoredContent } from './domain/message-log.js';
export { ShowActivity } from './application/show-activity.service.js';
export { ACTIVITY_INTERVALS, type ActivityInterval, type CampaignEventBucket, spanSince } from './domain/activity.js';
export { DailyCaps } from './application/daily-caps.service.js';
export { DeliveryJobs } from './application/ports/pending-delivery.repository.js';
export { PendingDeliveryRepository, type RecordingFaults } from './application/ports/pending-delivery.repository.js';
export { IdempotencyStore } from './application/ports/idempotency-store.js';
export { BatchIntake } from './application/ports/batch-intake.js';
export { MessageGroups } from './application/ports/message-groups.js';
export { type IntakeResult, MessageIntake } from './application/ports/message-intake.js';
export { type RecipientContact, RecipientContacts } from './application/ports/recipient-contacts.js';
export {
  type ClaimedMessage,
  type DeliveryOutcome,
  MAX_CLAIMED_BYTES,
  type MessageTexts,
  type NewMessage,
} from './domain/delivery.js';
export {
  type AttachmentEntry,
  type GroupFiles,
  type GroupMember,
  isPlain,
  type NewCopy,
  type NewGroup,
  plainGroup,
  SOURCE_NUMBER,
  visibleRecipients,
} from './domain/message-group.js';
export { type AcceptedEntry, BATCH_MODES, type BatchEntry, type BatchMode } from './domain/batch.js';
export type { IdempotencyKey, IdempotencyRecord } from './domain/idempotency.js';
export { capError, type CapUsage, tighterCap } from './domain/daily-caps.js';
export { Retention } from './domain/retention.js';
export { TimelineRepository } from './application/ports/timeline.repository.js';
export { ERASED_RECIPIENT, MESSAGE_STATUSES, type MessageLog, type MessageStatus } from './domain/message-log.js';
export { type MessageTotals, toTotals } from './domain/message-totals.js';
export {
  eventKey,
  type FoundMessage,
  type MessageReference,
  type RecordedEvent,
  type RecordedVisit,
  type ReportedEvent,
  type ReportedMessage,
  type ReportedVisit,
} from './domain/reported-event.js';
