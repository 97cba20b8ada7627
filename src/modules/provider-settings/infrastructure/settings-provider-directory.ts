import { Injectable } from '@nestjs/common';

import { Config } from '../../../config/config.js';
import type { AccountProvider, AwsAccess, SimulatedProvider, SmsProvider } from '../../../shared/account-provider.js';
import type { SesSettings, SmtpSettings } from '../../../shared/account-settings.js';
import { AccountChanges } from '../../../shared/ports/account-changes.js';
import { SecretBox } from '../../../shared/ports/secret-box.js';
import { TtlCache } from '../../../shared/ttl-cache.js';
import { relayFromUrl, type SmtpRelay } from '../../../shared/smtp-relay.js';
import { type Account, AccountRepository } from '../../accounts/index.js';
import { ProviderDirectory } from '../application/ports/provider-directory.js';

/** Changes are announced. This lifetime bounds how long a missed announcement goes unnoticed. */
const CACHE = { max: 1_000, freshForMs: 1_000 };

@Injectable()
export class SettingsProviderDirectory extends ProviderDirectory {
  private readonly relayOfInstallation: SmtpRelay | null;
  private readonly allowPrivateAddress: boolean;
  private readonly providers = new TtlCache<AccountProvider | null>(CACHE);
  private readonly smsProviders = new TtlCache<SmsProvider | null>(CACHE);
  private readonly hosts = new TtlCache<string[]>(CACHE);

  constructor(
    private readonly accounts: AccountRepository,
    private readonly secrets: SecretBox,
    changes: AccountChanges,
    config: Config,
  ) {
    super();
    changes.onChange((accountId) => {
      const isConcerned = (key: string) => accountId === null || key === accountId;
      this.providers.forget(isConcerned);
      this.smsProviders.forget(isConcerned);
      this.hosts.forget(isConcerned);
    });
    this.relayOfInstallation = config.smtpUrl === undefined ? null : relayFromUrl(config.smtpUrl);
    this.allowPrivateAddress = config.smtpAllowPrivateNetworks;
  }

  get installationRelay(): SmtpRelay | null {
    return this.relayOfInstallation;
  }

  find(accountId: string): Promise<AccountProvider | null> {
    return this.providers.get(accountId, () => this.read(accountId));
  }

  relayHosts(accountId: string): Promise<string[]> {
    return this.hosts.get(accountId, async () => {
      const account = await this.accounts.find(accountId);
      if (account?.testOf != null) return [];
      return [account?.smtp?.host, this.relayOfInstallation?.host].filter((host) => host !== undefined);
    });
  }

  findSms(accountId: string): Promise<SmsProvider | null> {
    return this.smsProviders.get(accountId, () => this.readSms(accountId));
  }

  listSmsAcrossAccounts(): Promise<string[]> {
    return this.accounts.listSmsAcrossAccounts();
  }

  async sesAccess(accountId: string): Promise<AwsAccess | null> {
    const account = await this.accounts.find(accountId);
    return account?.ses ? this.accessOf(account.ses) : null;
  }

  private async read(accountId: string): Promise<AccountProvider | null> {
    const account = await this.accounts.find(accountId);
    if (!account) return null;
    if (account.testOf !== null) return this.simulatorFor(account.testOf);
    const { emailProvider, ses, tracking, updatedAt: settingsAt } = account;
    if (emailProvider !== 'ses') return this.smtpOf(account);
    if (!ses) return null;
    return { kind: 'ses', access: this.accessOf(ses), configurationSet: ses.configurationSet, tracking, settingsAt };
  }

  /** With the tracking of the account that the test account belongs to. */
  private async simulatorFor(accountId: string): Promise<SimulatedProvider> {
    const account = await this.accounts.find(accountId);
    return { kind: 'simulator', tracking: account?.tracking ?? 'off' };
  }

  private async readSms(accountId: string): Promise<SmsProvider | null> {
    const account = await this.accounts.find(accountId);
    if (!account?.sms?.enabled || account.testOf !== null) return null;
    const { region, originationNumber, senderId, maxSendRate } = account.sms;
    const access = account.ses ? { ...this.accessOf(account.ses), region } : { region, credentials: null };
    return { access, originationNumber, senderId, maxSendRate, settingsAt: account.updatedAt };
  }

  private smtpOf({ smtp, tracking, updatedAt: settingsAt }: Account): AccountProvider | null {
    if (smtp) {
      const { vendor, maxSendRate } = smtp;
      return { kind: 'smtp', owner: 'account', relay: this.relayOf(smtp), vendor, maxSendRate, tracking, settingsAt };
    }
    const relay = this.relayOfInstallation;
    return (
      relay && {
        kind: 'smtp',
        owner: 'installation',
        relay,
        vendor: 'generic',
        maxSendRate: null,
        tracking,
        settingsAt,
      }
    );
  }

  private relayOf({ host, port, secure, username, sealedPassword, allowPlaintext = false }: SmtpSettings): SmtpRelay {
    const password = sealedPassword === null ? null : this.secrets.open(sealedPassword);
    const { allowPrivateAddress } = this;
    return { host, port, secure, username, password, allowPrivateAddress, allowPlaintext };
  }

  private accessOf({ region, accessKeyId, sealedSecretAccessKey }: SesSettings): AwsAccess {
    if (accessKeyId === null || sealedSecretAccessKey === null) return { region, credentials: null };
    return { region, credentials: { accessKeyId, secretAccessKey: this.secrets.open(sealedSecretAccessKey) } };
  }
}
