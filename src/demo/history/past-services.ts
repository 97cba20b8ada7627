import type { NestExpressApplication } from '@nestjs/platform-express';

import { CreateAccount } from '../../modules/accounts/application/create-account.service.js';
import { ControlCampaigns } from '../../modules/campaigns/application/control-campaigns.service.js';
import { ManageCampaigns } from '../../modules/campaigns/application/manage-campaigns.service.js';
import { OfferRecipients } from '../../modules/campaigns/application/offer-recipients.service.js';
import { CampaignFeed } from '../../modules/campaigns/application/ports/campaign-feed.js';
import { CampaignRuns } from '../../modules/campaigns/application/ports/campaign-runs.js';
import { WriteAudience } from '../../modules/campaigns/application/write-audience.service.js';
import { ImportContacts } from '../../modules/contacts/application/import-contacts.service.js';
import { ManageLists } from '../../modules/contacts/application/manage-lists.service.js';
import { ManageDomains } from '../../modules/domains/application/manage-domains.service.js';
import { AuthenticateKey } from '../../modules/keys/application/authenticate-key.service.js';
import { ManageKeys } from '../../modules/keys/application/manage-keys.service.js';
import { PendingDeliveryRepository } from '../../modules/messages/index.js';
import { ApplyEvents } from '../../modules/provider-events/index.js';
import { ChangeSettings } from '../../modules/provider-settings/application/change-settings.service.js';
import { ConfirmSender } from '../../modules/senders/application/confirm-sender.service.js';
import { ManageSenders } from '../../modules/senders/application/manage-senders.service.js';
import { AcceptEmail } from '../../modules/sending/index.js';
import { Unsubscribe } from '../../modules/suppression/index.js';
import { ManageTemplates } from '../../modules/templates/application/manage-templates.service.js';
import { AttemptDelivery } from '../../modules/webhooks/application/attempt-delivery.service.js';
import { ManageWebhooks } from '../../modules/webhooks/application/manage-webhooks.service.js';
import { OutboxDispatcher } from '../../modules/webhooks/application/outbox-dispatcher.service.js';
import { WebhookDeliveryRepository } from '../../modules/webhooks/application/ports/webhook-delivery.repository.js';
import { TransactionRunner } from '../../shared/ports/transaction-runner.js';

const SERVICES = {
  createAccount: CreateAccount,
  settings: ChangeSettings,
  keys: ManageKeys,
  authenticateKey: AuthenticateKey,
  senders: ManageSenders,
  confirmSender: ConfirmSender,
  domains: ManageDomains,
  templates: ManageTemplates,
  lists: ManageLists,
  contacts: ImportContacts,
  acceptEmail: AcceptEmail,
  deliveries: PendingDeliveryRepository,
  events: ApplyEvents,
  transactions: TransactionRunner,
  unsubscribe: Unsubscribe,
  campaigns: ManageCampaigns,
  control: ControlCampaigns,
  runs: CampaignRuns,
  feed: CampaignFeed,
  audience: WriteAudience,
  offers: OfferRecipients,
  webhooks: ManageWebhooks,
  outbox: OutboxDispatcher,
  webhookDeliveries: WebhookDeliveryRepository,
  attempts: AttemptDelivery,
} as const;

/** The use cases that create the history: those that the API and the workers call. */
export type PastServices = { readonly [Name in keyof typeof SERVICES]: (typeof SERVICES)[Name]['prototype'] };

export function pastServices(app: NestExpressApplication): PastServices {
  const found = Object.entries(SERVICES).map(([name, token]) => [name, app.get<unknown>(token, { strict: false })]);
  return Object.fromEntries(found) as PastServices;
}
