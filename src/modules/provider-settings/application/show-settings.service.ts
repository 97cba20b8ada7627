import { Injectable } from '@nestjs/common';

import { Providers } from '../../../providers/index.js';
import { type Account, AccountDirectory } from '../../accounts/index.js';
import { type DeliveryPause, DeliveryPauses } from './ports/delivery-pauses.js';
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
    private readonly providers: Providers,
  ) {}

  async forAccount(accountId: string): Promise<ShownSettings> {
    const account = await this.accounts.get(accountId);
    return {
      account,
      pauses: { email: await this.pauses.find(accountId, 'email'), sms: await this.pauses.find(accountId, 'sms') },
      // Decrypts no secrets: settings with secrets that can no longer be decrypted are shown and can be replaced.
      canSend: this.providers.configuredIn(account),
      smsStatus: await this.smsStatuses.find(accountId),
    };
  }
}
