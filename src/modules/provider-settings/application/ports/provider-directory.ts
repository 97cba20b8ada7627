import type { AccountProvider, AwsAccess, SmsProvider } from '../../../../shared/account-provider.js';
import type { SmtpRelay } from '../../../../shared/smtp-relay.js';

/** Through what an account's e-mail and SMS leave. */
export abstract class ProviderDirectory {
  /** As the settings say: SES, or the account's relay, else the installation's; null where neither relay is set. */
  abstract find(accountId: string): Promise<AccountProvider | null>;

  /** The operator's (`SMTP_URL`); null where there is none. */
  abstract get installationRelay(): SmtpRelay | null;

  /** The hosts of the relays that the account may send through, its own and the operator's. Decrypts no secret. */
  abstract relayHosts(accountId: string): Promise<string[]>;

  /** With the credentials of the settings for SES, else those of the process; null where SMS is not enabled. */
  abstract findSms(accountId: string): Promise<SmsProvider | null>;

  /** Ids of the accounts with SMS enabled. */
  abstract listSmsAcrossAccounts(): Promise<string[]>;

  /** As the settings for SES say at this moment, also while the account sends through a relay; null where there are none. */
  abstract sesAccess(accountId: string): Promise<AwsAccess | null>;
}
