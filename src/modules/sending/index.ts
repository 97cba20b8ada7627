export { AcceptEmail, type AcceptedEmail } from './application/accept-email.service.js';
export { CampaignMessages } from './application/campaign-messages.service.js';
export type { CampaignRecipient, CampaignSend, CampaignTotals } from './application/campaign-send.js';
export { expiredMeanwhile, IdempotentSend } from './application/idempotent-send.service.js';
export { type Placeholders, samplePlaceholders, withPlaceholders } from './domain/placeholders.js';
export type { EmailRequest } from './domain/send-request.js';
export { IS_LINK_VISIBLE } from './domain/visible-link.js';
export { RenderContent } from './application/render-content.service.js';
export { SendBatch } from './application/send-batch.service.js';
