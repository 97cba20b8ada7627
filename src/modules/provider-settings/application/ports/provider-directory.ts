import type { AccountProvider, AwsAccess, SmsProvider } from '../../../../shared/account-provider.js';
import type { SmtpRelay } from '../../../../shared/smtp-relay.js';

/** The providers that an account sends email and SMS through. */
export abstract class ProviderDirectory {
  /**
   * By the account's settings: SES, or the account's relay, else the installation's; null if there is none. The
   * simulator for a test account, whatever its settings are.
   */
  abstract find(accountId: string): Promise<AccountProvider | null>;

  /** The operator's relay (`SMTP_URL`), or null. */
  abstract get installationRelay(): SmtpRelay | null;

  /**
   * The hosts of the relays that the account may send through, its own and the operator's; none for a test account.
   * Decrypts no secrets.
   */
  abstract relayHosts(accountId: string): Promise<string[]>;

  /**
   * Uses the credentials of the SES settings, else those of the process. Null if SMS is not enabled, and for a test
   * account.
   */
  abstract findSms(accountId: string): Promise<SmsProvider | null>;

  /** The ids of accounts with SMS enabled. */
  abstract listSmsAcrossAccounts(): Promise<string[]>;

  /** By the uncached SES settings, even if the account sends through a relay. Null if there are none. */
  abstract sesAccess(accountId: string): Promise<AwsAccess | null>;
}
