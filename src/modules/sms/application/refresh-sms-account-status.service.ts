import { Injectable } from '@nestjs/common';

import type { SmsProvider } from '../../../shared/account-provider.js';
import { Clock } from '../../../shared/ports/clock.js';
import { type SmsAccountStatus, SmsAccountStatuses } from '../../provider-settings/index.js';
import { SmsAccountGateway } from './ports/sms-account-gateway.js';

/** Asks the SMS provider anew and keeps what it says. */
@Injectable()
export class RefreshSmsAccountStatus {
  constructor(
    private readonly gateway: SmsAccountGateway,
    private readonly standings: SmsAccountStatuses,
    private readonly clock: Clock,
  ) {}

  /** Throws where the provider cannot be asked: what was known stays. */
  async refresh(accountId: string, { access, settingsAt }: SmsProvider): Promise<SmsAccountStatus> {
    const checkedAt = this.clock.now();
    const standing = { ...(await this.gateway.describe(access)), checkedAt };
    await this.standings.record(accountId, standing, settingsAt);
    return standing;
  }
}
