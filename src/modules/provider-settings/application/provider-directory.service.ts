import { Injectable } from '@nestjs/common';

import {
  type EmailConnection,
  type IdentityKeeper,
  Providers,
  type ReportedResults,
  SIMULATOR,
  type SmsConnection,
} from '../../../providers/index.js';
import { trackingOf } from '../../../shared/account-settings.js';
import type { Channel } from '../../../shared/channel.js';
import { AccountChanges } from '../../../shared/ports/account-changes.js';
import type { ProviderKey } from '../../../shared/provider-key.js';
import type { QuietHours } from '../../../shared/quiet-hours.js';
import type { SmtpRelay } from '../../../shared/smtp-relay.js';
import { TtlCache } from '../../../concurrency/ttl-cache.js';
import { type Account, AccountRepository } from '../../accounts/index.js';

/**
 * Changes are announced. A missed announcement goes unnoticed for twice this lifetime at most: a connection may be made
 * from an account that was read that long before.
 */
const CACHE = { max: 1_000, freshForMs: 500 };
const ALL = { deliveries: true, opens: true, clicks: true };
const SIMULATED = { email: ALL, sms: ALL };

/** Knows how accounts reach the providers through which they send email and SMS. */
@Injectable()
export class ProviderDirectory {
  private readonly rows = new TtlCache<Account | null>(CACHE);
  private readonly connections = new TtlCache<EmailConnection | null>(CACHE);
  private readonly smsConnections = new TtlCache<SmsConnection | null>(CACHE);

  constructor(
    private readonly accounts: AccountRepository,
    private readonly providers: Providers,
    changes: AccountChanges,
  ) {
    changes.onChange((accountId) => {
      const isConcerned = (key: string) => accountId === null || key === accountId;
      for (const cache of [this.rows, this.connections, this.smsConnections]) cache.forget(isConcerned);
    });
  }

  /** The operator's relay (`SMTP_URL`), or null. */
  get installationRelay(): SmtpRelay | null {
    return this.providers.installationRelay;
  }

  /**
   * The connection by the account's settings; null if they lack what their provider needs. The simulator for a test
   * account, whatever its settings are. Throws UnknownProviderError.
   */
  find(accountId: string): Promise<EmailConnection | null> {
    return this.connections.get(accountId, () => this.connect(accountId));
  }

  /** The SMS connection; null if SMS is not enabled, and for a test account. Throws UnknownProviderError. */
  findSms(accountId: string): Promise<SmsConnection | null> {
    return this.smsConnections.get(accountId, () => this.connectSms(accountId));
  }

  /** The hours in which SMS with a topic wait; null: none, as for a test account. */
  async smsQuietHours(accountId: string): Promise<QuietHours | null> {
    return (await this.read(accountId))?.sms?.quietHours ?? null;
  }

  /**
   * The hosts of the relays that the account may send through, its own and the operator's; none for a test account.
   * Decrypts no secrets.
   */
  async relayHosts(accountId: string): Promise<string[]> {
    const account = await this.read(accountId);
    return account?.testOf === null ? this.providers.hostsOf(account) : [];
  }

  /** The results of messages that are reported, by the account's settings; all of them for a test account. */
  async reportedResults(accountId: string): Promise<Record<Channel, ReportedResults>> {
    const account = await this.read(accountId);
    return account?.testOf === null ? this.providers.resultsReportedTo(account) : SIMULATED;
  }

  /** The ids of accounts with SMS enabled. */
  listSmsAcrossAccounts(): Promise<string[]> {
    return this.accounts.listSmsAcrossAccounts();
  }

  /**
   * The provider that has this key by the uncached settings, even if the account sends through another one. Null if
   * they name none with this key.
   */
  async findKeeper(accountId: string, providerKey: ProviderKey): Promise<IdentityKeeper | null> {
    const account = await this.accounts.find(accountId);
    return account && this.providers.keeperOf(account, providerKey);
  }

  private read(accountId: string): Promise<Account | null> {
    return this.rows.get(accountId, () => this.accounts.find(accountId));
  }

  private async connect(accountId: string): Promise<EmailConnection | null> {
    const account = await this.read(accountId);
    if (!account) return null;
    // With the tracking of the account that the test account belongs to.
    const tested = account.testOf === null ? account : await this.read(account.testOf);
    const tracking = tested ? trackingOf(tested) : 'off';
    const asking = tested?.trackingConsent === 'required' && { asksToTrack: true };
    if (account.testOf !== null) return { kind: SIMULATOR, tracking, ...asking, settingsAt: account.updatedAt };
    const connection = this.providers.emailOf(account).connect({ ...account, tracking });
    return connection && { ...connection, ...asking };
  }

  private async connectSms(accountId: string): Promise<SmsConnection | null> {
    const account = await this.read(accountId);
    return account?.testOf === null ? this.providers.smsOf(account).connect(account) : null;
  }
}
