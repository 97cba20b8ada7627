import type { SmtpVendor } from '../../shared/account-provider.js';
import type { SmtpRelay } from '../../shared/smtp-relay.js';
import type { MailConnection } from '../capabilities/sending.js';

export interface SmtpConnection extends MailConnection {
  kind: 'smtp';
  relay: SmtpRelay;
  /** Whether the relay comes from the account's settings or from `SMTP_URL`. */
  owner: 'account' | 'installation';
  vendor: SmtpVendor;
  /** Messages per second; null for no limit. */
  maxSendRate: number | null;
}
