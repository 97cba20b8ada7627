export { AcceptEmail } from './application/accept-email.service.js';
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
export { RenderContent } from './application/render-content.service.js';
