import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';

import { OncePerCluster } from '../../../platform/scheduling/once-per-cluster.js';
import { SyncSmsAccounts } from '../application/sync-sms-accounts.service.js';

const QUARTER_SECONDS = 900;

@Injectable()
export class SmsSchedules {
  constructor(
    private readonly once: OncePerCluster,
    private readonly syncSmsAccounts: SyncSmsAccounts,
  ) {}

  @Cron('23 */15 * * * *', { waitForCompletion: true })
  async sync(): Promise<void> {
    await this.once.run('sync-sms', QUARTER_SECONDS, () => this.syncSmsAccounts.run());
  }
}
