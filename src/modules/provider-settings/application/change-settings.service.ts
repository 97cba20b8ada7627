import { Injectable } from '@nestjs/common';

import type { EmailProviderKind, Tracking } from '../../../shared/account-provider.js';
import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { SecretBox } from '../../../shared/ports/secret-box.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { type Account, AccountRepository } from '../../accounts/index.js';
import { changeSes, type SesChange } from '../domain/ses-settings.js';
import { changeSms, type SmsChange } from '../domain/sms-settings.js';
import { changeSmtp, type SmtpChange } from '../domain/smtp-settings.js';
import { DeliveryPauses } from './ports/delivery-pauses.js';
import { SmsAccountStatuses } from './ports/sms-account-statuses.js';

/** Absent fields are kept; null clears `smtp`, `ses` and `sms`. */
export interface SettingsChange {
  accountName?: string;
  dailySendCap?: number;
  campaignCapShare?: number;
  emailProvider?: EmailProviderKind;
  tracking?: Tracking;
  smtp?: SmtpChange | null;
  ses?: SesChange | null;
  sms?: SmsChange | null;
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
      const smsSource = smsSourceOf(account);
      account.name = change.accountName ?? account.name;
      account.dailySendCap = change.dailySendCap ?? account.dailySendCap;
      account.campaignCapShare = change.campaignCapShare ?? account.campaignCapShare;
      account.emailProvider = change.emailProvider ?? account.emailProvider;
      account.tracking = change.tracking ?? account.tracking;
      if (change.smtp !== undefined) account.smtp = change.smtp && changeSmtp(account.smtp, change.smtp, seal);
      if (change.ses !== undefined) account.ses = change.ses && changeSes(account.ses, change.ses, seal);
      if (change.sms !== undefined) account.sms = change.sms && changeSms(account.sms, change.sms, seal);
      if (account.emailProvider === 'ses' && !account.ses) throw DomainError.invalid('ses is required for SES');
      account.updatedAt = this.clock.now();
      await this.accounts.save(account);
      if (change.emailProvider ?? change.smtp ?? change.ses) await this.pauses.end(accountId, 'email');
      if (change.sms !== undefined || change.ses !== undefined) await this.pauses.end(accountId, 'sms');
      if (smsSourceOf(account) !== smsSource) await this.smsStatuses.remove(accountId);
      return account;
    });
  }
}

const smsSourceOf = ({ sms, ses }: Account): string => `${sms?.region ?? ''} ${ses?.accessKeyId ?? ''}`;
