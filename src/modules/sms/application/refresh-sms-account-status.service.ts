import { Injectable } from '@nestjs/common';

import type { SmsProvider } from '../../../shared/account-provider.js';
import { Clock } from '../../../shared/ports/clock.js';
import { type SmsAccountStatus, SmsAccountStatuses } from '../../provider-settings/index.js';
import { SmsAccountGateway } from './ports/sms-account-gateway.js';

/** Reads the status of the SMS account from the provider and stores it. */
@Injectable()
export class RefreshSmsAccountStatus {
  constructor(
    private readonly gateway: SmsAccountGateway,
    private readonly statuses: SmsAccountStatuses,
    private readonly clock: Clock,
  ) {}

  /** Throws if the provider does not answer; the stored status then stays. */
  async refresh(accountId: string, { access, settingsAt }: SmsProvider): Promise<SmsAccountStatus> {
    const checkedAt = this.clock.now();
    const status = { ...(await this.gateway.describe(access)), checkedAt };
    await this.statuses.record(accountId, status, settingsAt);
    return status;
  }
}
