import { CreateAccountsAndMessages1795219200000 } from './1795219200000-create-accounts-and-messages.js';
import { IndexMessages1795240800000 } from './1795240800000-index-messages.js';
import { SendThroughSes1795248000000 } from './1795248000000-send-through-ses.js';
import { VerifyDomains1795251600000 } from './1795251600000-verify-domains.js';
import { IngestEvents1795255200000 } from './1795255200000-ingest-events.js';
import { SendSms1795290000000 } from './1795290000000-send-sms.js';
import { RememberRequests1795300000000 } from './1795300000000-remember-requests.js';

/** In the order in which they run. A migration that has landed is never edited. */
export const MIGRATIONS = [
  CreateAccountsAndMessages1795219200000,
  IndexMessages1795240800000,
  SendThroughSes1795248000000,
  VerifyDomains1795251600000,
  IngestEvents1795255200000,
  SendSms1795290000000,
  RememberRequests1795300000000,
];
