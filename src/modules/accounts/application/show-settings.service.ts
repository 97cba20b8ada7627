import { Injectable } from '@nestjs/common';

import type { Account } from '../domain/account.js';
import type { SmsStanding } from '../domain/sms-standing.js';
import { AccountDirectory } from './account-directory.service.js';
import { type DeliveryPause, DeliveryPauses } from './ports/delivery-pauses.js';
import { ProviderDirectory } from './ports/provider-directory.js';
import { SmsStandings } from './ports/sms-standings.js';

export interface ShownSettings {
  account: Account;
  /** Of the deliveries of each channel, where one is in force. */
  pauses: { email: DeliveryPause | null; sms: DeliveryPause | null };
  /** Whether there is a provider to send through. */
  canSend: { email: boolean; sms: boolean };
  /** Null where the SMS provider was not asked yet. */
  smsStanding: SmsStanding | null;
}

@Injectable()
export class ShowSettings {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly pauses: DeliveryPauses,
    private readonly standings: SmsStandings,
    private readonly providers: ProviderDirectory,
  ) {}

  async of(accountId: string): Promise<ShownSettings> {
    return {
      account: await this.accounts.get(accountId),
      pauses: { email: await this.pauses.find(accountId, 'email'), sms: await this.pauses.find(accountId, 'sms') },
      canSend: {
        email: (await this.providers.find(accountId)) !== null,
        sms: ((await this.providers.findSms(accountId))?.originationNumber ?? null) !== null,
      },
      smsStanding: await this.standings.find(accountId),
    };
  }
}
