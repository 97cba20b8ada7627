export { AcceptEmail, type AcceptedEmail } from './application/accept-email.service.js';
export {
  type CampaignContent,
  type CampaignIntakeOutcome,
  CampaignMessages,
  type CampaignRecipient,
  type CampaignSend,
  type CampaignTotals,
  type NewCampaignMessage,
  type PendingMessages,
} from './application/ports/campaign-messages.js';
export { expiredMeanwhile, IdempotentSend } from './application/idempotent-send.service.js';
export { attachmentFaults, MAX_ATTACHMENTS } from './domain/attachment.js';
export { isSetByService, isVendorControl } from './domain/custom-headers.js';
export { isNestedTooDeep } from './domain/html-nesting.js';
export { isIdempotencyKey } from './domain/idempotency-key.js';
export { metadataFaults, tagFaults } from './domain/labels.js';
export { refusedType } from './domain/refused-types.js';
export { type EmailRequest, MAX_BODY_PART, MAX_NAME_LENGTH, MAX_SUBJECT_LENGTH } from './domain/send-request.js';
export { unsubscribeUrlFault } from './domain/unsubscribe-url.js';
export { RenderContent } from './application/render-content.service.js';
