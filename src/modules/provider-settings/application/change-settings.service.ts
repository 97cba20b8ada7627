import { Injectable } from '@nestjs/common';

import { changeSections, type SectionChanges, smsAccountOf } from '../../../providers/index.js';
import type { EmailProviderKind, Tracking } from '../../../shared/account-provider.js';
import type { ConsentRequirement, TrackingConsent } from '../../../shared/account-settings.js';
import type { Branding } from '../../../shared/branding.js';
import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { SecretBox } from '../../../shared/ports/secret-box.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { type Account, AccountRepository } from '../../accounts/index.js';
import { DeliveryPauses } from './ports/delivery-pauses.js';
import { SmsAccountStatuses } from './ports/sms-account-statuses.js';

/** Absent fields are kept; null clears a section. */
export interface SettingsChange extends SectionChanges {
  accountName?: string;
  dailySendCap?: number;
  campaignCapShare?: number;
  emailProvider?: EmailProviderKind;
  tracking?: Tracking;
  trackingConsent?: TrackingConsent;
  consent?: { requiredFor?: ConsentRequirement };
  branding?: Partial<Branding> | null;
}

@Injectable()
export class ChangeSettings {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly accounts: AccountRepository,
    private readonly pauses: DeliveryPauses,
    private readonly smsStatuses: SmsAccountStatuses,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
  ) {}

  /**
   * Locks the account, so that no concurrent change is lost. A change of a provider ends the pause of its deliveries,
   * because it may remove the cause. The SMS account status belongs to one AWS account and region, and is deleted if
   * either changes.
   */
  async change(accountId: string, change: SettingsChange): Promise<Account> {
    const seal = (plain: string) => this.secrets.seal(plain);
    return this.transactions.runInLane(accountId, async () => {
      const account = await this.accounts.findAndLock(accountId);
      if (!account) throw DomainError.notFound('Account');
      const smsAccount = smsAccountOf(account);
      account.name = change.accountName ?? account.name;
      account.dailySendCap = change.dailySendCap ?? account.dailySendCap;
      account.campaignCapShare = change.campaignCapShare ?? account.campaignCapShare;
      account.emailProvider = change.emailProvider ?? account.emailProvider;
      account.tracking = change.tracking ?? account.tracking;
      account.trackingConsent = change.trackingConsent ?? account.trackingConsent;
      account.consentRequiredFor = change.consent?.requiredFor ?? account.consentRequiredFor;
      changeBranding(account, change.branding);
      const channels = new Set(changeSections(account, change, seal));
      if (change.emailProvider !== undefined) channels.add('email');
      account.updatedAt = this.clock.now();
      await this.accounts.save(account);
      for (const channel of channels) await this.pauses.end(accountId, channel);
      if (smsAccountOf(account) !== smsAccount) await this.smsStatuses.remove(accountId);
      return account;
    });
  }
}

function changeBranding(account: Account, branding: SettingsChange['branding']): void {
  if (branding === undefined) return;
  const { logoUrl = account.logoUrl, color = account.brandColor } = branding ?? { logoUrl: null, color: null };
  Object.assign(account, { logoUrl, brandColor: color } satisfies Partial<Account>);
}
