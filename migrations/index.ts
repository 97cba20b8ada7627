import { CreateAccountsAndMessages1795219200000 } from './1795219200000-create-accounts-and-messages.js';
import { IndexMessages1795240800000 } from './1795240800000-index-messages.js';
import { SendThroughSes1795248000000 } from './1795248000000-send-through-ses.js';
import { VerifyDomains1795251600000 } from './1795251600000-verify-domains.js';
import { IngestEvents1795255200000 } from './1795255200000-ingest-events.js';
import { DeliverWebhooks1795270000000 } from './1795270000000-deliver-webhooks.js';
import { KeepContacts1795280000000 } from './1795280000000-keep-contacts.js';
import { ImportAndEraseContacts1795282000000 } from './1795282000000-import-and-erase-contacts.js';
import { SendSms1795290000000 } from './1795290000000-send-sms.js';
import { SyncSms1795291000000 } from './1795291000000-sync-sms.js';
import { ServeWebhooksInTurn1795295000000 } from './1795295000000-serve-webhooks-in-turn.js';
import { RememberRequests1795300000000 } from './1795300000000-remember-requests.js';
import { DeleteWebhooksInSteps1795305000000 } from './1795305000000-delete-webhooks-in-steps.js';
import { CountLoginClients1795311000000 } from './1795311000000-count-login-clients.js';
import { BindSendersToTheirRelay1795313000000 } from './1795313000000-bind-senders-to-their-relay.js';
import { SharePendingDomainNames1795313000001 } from './1795313000001-share-pending-domain-names.js';
import { IndexSuppressionSearch1795316000001 } from './1795316000001-index-suppression-search.js';
import { KeyReportedEvents1795316000002 } from './1795316000002-key-reported-events.js';
import { ShareUserAddresses1795316000003 } from './1795316000003-share-user-addresses.js';
import { ComposeAddresses1795316000004 } from './1795316000004-compose-addresses.js';
import { KeepOptOutErrors1795316000005 } from './1795316000005-keep-opt-out-errors.js';
import { RunCampaigns1795320000000 } from './1795320000000-run-campaigns.js';
import { DeliverCampaigns1795321000000 } from './1795321000000-deliver-campaigns.js';
import { SelectAudiences1795322000000 } from './1795322000000-select-audiences.js';
import { CountCampaignEvents1795323000000 } from './1795323000000-count-campaign-events.js';
import { FindDmarc1795323000001 } from './1795323000001-find-dmarc.js';
import { CompleteMessages1795330000001 } from './1795330000001-complete-messages.js';
import { ScheduleMessages1795340000001 } from './1795340000001-schedule-messages.js';
import { KeepVisibleRecipients1795350000001 } from './1795350000001-keep-visible-recipients.js';
import { AddTestAccounts1795360000001 } from './1795360000001-add-test-accounts.js';
import { KeepSampleValues1795370000001 } from './1795370000001-keep-sample-values.js';
import { KeepTemplateVersions1795380000001 } from './1795380000001-keep-template-versions.js';
import { KeepResponseHeaders1795390000001 } from './1795390000001-keep-response-headers.js';
import { LookUpWaitingTexts1795400000001 } from './1795400000001-look-up-waiting-texts.js';
import { CompareContactSetsOnce1795410000001 } from './1795410000001-compare-contact-sets-once.js';
import { MatchEventsByAccount1795420000001 } from './1795420000001-match-events-by-account.js';
import { KeepInstallationKeys1795430000001 } from './1795430000001-keep-installation-keys.js';
import { EraseInParts1795440000001 } from './1795440000001-erase-in-parts.js';
import { IndexHeldDeliveries1795450000001 } from './1795450000001-index-held-deliveries.js';
import { KeepGivenAddresses1795470000001 } from './1795470000001-keep-given-addresses.js';
import { LimitTestContent1795480000001 } from './1795480000001-limit-test-content.js';
import { FollowEvents1795500000001 } from './1795500000001-follow-events.js';
import { KeepContactAttributes1795510000001 } from './1795510000001-keep-contact-attributes.js';
import { BrandAccounts1795520000001 } from './1795520000001-brand-accounts.js';
import { KeepConsents1795530000001 } from './1795530000001-keep-consents.js';
import { CreateForms1795540000001 } from './1795540000001-create-forms.js';
import { CreateTopics1795550000001 } from './1795550000001-create-topics.js';
import { KeepBlockedNumbers1795560000001 } from './1795560000001-keep-blocked-numbers.js';
import { RemoveSignupsInBatches1795580000001 } from './1795580000001-remove-signups-in-batches.js';
import { ClaimSignupsByAccount1795580000002 } from './1795580000002-claim-signups-by-account.js';
import { KeepAddressesOfClients1795580000003 } from './1795580000003-keep-addresses-of-clients.js';
import { AskForTrackingConsent1795590000001 } from './1795590000001-ask-for-tracking-consent.js';
import { AddBulkSmsLane1795600000001 } from './1795600000001-add-bulk-sms-lane.js';
import { IndexScheduledByLane1795600000002 } from './1795600000002-index-scheduled-by-lane.js';
import { KeepSmsRequests1795610000001 } from './1795610000001-keep-sms-requests.js';
import { IndexSmsRequests1795610000002 } from './1795610000002-index-sms-requests.js';
import { CountTopicsLeft1795620000001 } from './1795620000001-count-topics-left.js';
import { IndexConsentsByCampaign1795620000002 } from './1795620000002-index-consents-by-campaign.js';
import { IndexErasedStandings1795620000003 } from './1795620000003-index-erased-standings.js';
import { IndexConsentsByTopic1795630000001 } from './1795630000001-index-consents-by-topic.js';
import { KeepTopicsOfWordings1795640000001 } from './1795640000001-keep-topics-of-wordings.js';
import { IndexWithdrawnConsents1795640000002 } from './1795640000002-index-withdrawn-consents.js';
import { KeepSlowestRate1795640000101 } from './1795640000101-keep-slowest-rate.js';
import { IndexRequestedConsents1795640000102 } from './1795640000102-index-requested-consents.js';

/** In the order in which they run. A migration that has landed is never edited. */
export const MIGRATIONS = [
  CreateAccountsAndMessages1795219200000,
  IndexMessages1795240800000,
  SendThroughSes1795248000000,
  VerifyDomains1795251600000,
  IngestEvents1795255200000,
  DeliverWebhooks1795270000000,
  KeepContacts1795280000000,
  ImportAndEraseContacts1795282000000,
  SendSms1795290000000,
  SyncSms1795291000000,
  ServeWebhooksInTurn1795295000000,
  RememberRequests1795300000000,
  DeleteWebhooksInSteps1795305000000,
  CountLoginClients1795311000000,
  BindSendersToTheirRelay1795313000000,
  SharePendingDomainNames1795313000001,
  IndexSuppressionSearch1795316000001,
  KeyReportedEvents1795316000002,
  ShareUserAddresses1795316000003,
  ComposeAddresses1795316000004,
  KeepOptOutErrors1795316000005,
  RunCampaigns1795320000000,
  DeliverCampaigns1795321000000,
  SelectAudiences1795322000000,
  CountCampaignEvents1795323000000,
  FindDmarc1795323000001,
  CompleteMessages1795330000001,
  ScheduleMessages1795340000001,
  KeepVisibleRecipients1795350000001,
  AddTestAccounts1795360000001,
  KeepSampleValues1795370000001,
  KeepTemplateVersions1795380000001,
  KeepResponseHeaders1795390000001,
  LookUpWaitingTexts1795400000001,
  CompareContactSetsOnce1795410000001,
  MatchEventsByAccount1795420000001,
  KeepInstallationKeys1795430000001,
  EraseInParts1795440000001,
  IndexHeldDeliveries1795450000001,
  KeepGivenAddresses1795470000001,
  LimitTestContent1795480000001,
  FollowEvents1795500000001,
  KeepContactAttributes1795510000001,
  BrandAccounts1795520000001,
  KeepConsents1795530000001,
  CreateForms1795540000001,
  CreateTopics1795550000001,
  KeepBlockedNumbers1795560000001,
  RemoveSignupsInBatches1795580000001,
  ClaimSignupsByAccount1795580000002,
  KeepAddressesOfClients1795580000003,
  AskForTrackingConsent1795590000001,
  AddBulkSmsLane1795600000001,
  IndexScheduledByLane1795600000002,
  KeepSmsRequests1795610000001,
  IndexSmsRequests1795610000002,
  CountTopicsLeft1795620000001,
  IndexConsentsByCampaign1795620000002,
  IndexErasedStandings1795620000003,
  IndexConsentsByTopic1795630000001,
  KeepTopicsOfWordings1795640000001,
  IndexWithdrawnConsents1795640000002,
  KeepSlowestRate1795640000101,
  IndexRequestedConsents1795640000102,
];
