import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';

import { OncePerCluster } from '../../../platform/scheduling/once-per-cluster.js';
import { CheckDueSenders } from '../application/check-due-senders.service.js';

const MINUTE_SECONDS = 60;

@Injectable()
export class SenderSchedules {
  constructor(
    private readonly once: OncePerCluster,
    private readonly checkDueSenders: CheckDueSenders,
  ) {}

  @Cron('41 * * * * *', { waitForCompletion: true })
  async checkSenders(): Promise<void> {
    await this.once.run('check-senders', MINUTE_SECONDS, () => this.checkDueSenders.run());
  }
}
