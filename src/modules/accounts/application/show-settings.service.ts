import { Injectable } from '@nestjs/common';

import type { Account } from '../domain/account.js';
import { AccountDirectory } from './account-directory.service.js';
import { type DeliveryPause, DeliveryPauses } from './ports/delivery-pauses.js';

@Injectable()
export class ShowSettings {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly pauses: DeliveryPauses,
  ) {}

  /** The account, and the pause of its deliveries if one is in force. */
  async of(accountId: string): Promise<{ account: Account; pause: DeliveryPause | null }> {
    return { account: await this.accounts.get(accountId), pause: await this.pauses.find(accountId) };
  }
}
