import { Injectable } from '@nestjs/common';

import { Providers, type SmsConnection } from '../../../providers/index.js';
import { Clock } from '../../../shared/ports/clock.js';
import { type SmsAccountStatus, SmsAccountStatuses } from '../../provider-settings/index.js';

/** Reads the status of the SMS account from the provider and stores it. */
@Injectable()
export class RefreshSmsAccountStatus {
  constructor(
    private readonly providers: Providers,
    private readonly statuses: SmsAccountStatuses,
    private readonly clock: Clock,
  ) {}

  /** Throws if the provider does not answer; the stored status then stays. Null if the provider has no sandbox. */
  async refresh(accountId: string, connection: SmsConnection): Promise<SmsAccountStatus | null> {
    const checkedAt = this.clock.now();
    const state = await this.providers.sms(connection).describe?.(connection);
    if (!state) return null;
    const status = { ...state, checkedAt };
    await this.statuses.record(accountId, status, connection.settingsAt);
    return status;
  }
}
