import { Injectable } from '@nestjs/common';

import { type Account, AccountDirectory } from '../../accounts/index.js';
import type { SmsAccountStatus } from '../domain/sms-account-status.js';
import { type DeliveryPause, DeliveryPauses } from './ports/delivery-pauses.js';
import { ProviderDirectory } from './ports/provider-directory.js';
import { SmsAccountStatuses } from './ports/sms-account-statuses.js';

export interface ShownSettings {
  account: Account;
  /** Of the deliveries of each channel, where one is in force. */
  pauses: { email: DeliveryPause | null; sms: DeliveryPause | null };
  /** Whether there is a provider to send through. */
  canSend: { email: boolean; sms: boolean };
  /** Null where the SMS provider was not asked yet. */
  smsStanding: SmsAccountStatus | null;
}

@Injectable()
export class ShowSettings {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly pauses: DeliveryPauses,
    private readonly standings: SmsAccountStatuses,
    private readonly providers: ProviderDirectory,
  ) {}

  async of(accountId: string): Promise<ShownSettings> {
    const account = await this.accounts.get(accountId);
    return {
      account,
      pauses: { email: await this.pauses.find(accountId, 'email'), sms: await this.pauses.find(accountId, 'sms') },
      canSend: this.canSend(account),
      smsStanding: await this.standings.find(accountId),
    };
  }

  /** Decrypts no secret: settings whose secrets can no longer be decrypted are shown, so that they can be replaced. */
  private canSend({ emailProvider, ses, smtp, sms }: Account): ShownSettings['canSend'] {
    const hasRelay = smtp !== null || this.providers.installationRelay !== null;
    return {
      email: emailProvider === 'ses' ? ses !== null : hasRelay,
      sms: sms?.enabled === true && sms.originationNumber !== null,
    };
  }
}
