import { Injectable } from '@nestjs/common';

import { type Account, AccountDirectory } from '../../accounts/index.js';
import { type DeliveryPause, DeliveryPauses } from './ports/delivery-pauses.js';
import { ProviderDirectory } from './ports/provider-directory.js';
import { type SmsAccountStatus, SmsAccountStatuses } from './ports/sms-account-statuses.js';

export interface ShownSettings {
  account: Account;
  /** The current delivery pause of each channel, if any. */
  pauses: { email: DeliveryPause | null; sms: DeliveryPause | null };
  /** Whether a provider is configured. */
  canSend: { email: boolean; sms: boolean };
  /** Null until the SMS provider has been queried. */
  smsStatus: SmsAccountStatus | null;
}

@Injectable()
export class ShowSettings {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly pauses: DeliveryPauses,
    private readonly smsStatuses: SmsAccountStatuses,
    private readonly providers: ProviderDirectory,
  ) {}

  async of(accountId: string): Promise<ShownSettings> {
    const account = await this.accounts.get(accountId);
    return {
      account,
      pauses: { email: await this.pauses.find(accountId, 'email'), sms: await this.pauses.find(accountId, 'sms') },
      canSend: this.canSend(account),
      smsStatus: await this.smsStatuses.find(accountId),
    };
  }

  /**
   * Decrypts no secrets, so that settings with secrets that can no longer be decrypted are shown and can be replaced.
   */
  private canSend({ emailProvider, ses, smtp, sms }: Account): ShownSettings['canSend'] {
    const hasRelay = smtp !== null || this.providers.installationRelay !== null;
    return {
      email: emailProvider === 'ses' ? ses !== null : hasRelay,
      sms: sms?.enabled === true && sms.originationNumber !== null,
    };
  }
}
