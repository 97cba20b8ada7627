import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';

import { OncePerCluster } from '../../../platform/scheduling/once-per-cluster.js';
import { PurgeSignups } from '../application/purge-signups.service.js';

const HOUR_SECONDS = 3_600;

@Injectable()
export class FormSchedules {
  constructor(
    private readonly once: OncePerCluster,
    private readonly purgeSignups: PurgeSignups,
  ) {}

  @Cron('0 37 * * * *', { waitForCompletion: true })
  async purge(): Promise<void> {
    await this.once.run('purge-form-signups', HOUR_SECONDS, () => this.purgeSignups.purge());
  }
}
