import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';

import { OncePerCluster } from '../../../platform/scheduling/once-per-cluster.js';
import { LoginAttempts } from '../application/login-attempts.service.js';

const HOUR_SECONDS = 3_600;

@Injectable()
export class AccountSchedules {
  constructor(
    private readonly once: OncePerCluster,
    private readonly loginAttempts: LoginAttempts,
  ) {}

  @Cron('0 23 * * * *', { waitForCompletion: true })
  async removeEndedThrottles(): Promise<void> {
    await this.once.run('forget-ended-login-throttles', HOUR_SECONDS, () => this.loginAttempts.removeEnded());
  }
}
