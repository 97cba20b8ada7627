import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';

import { OncePerCluster } from '../../../platform/scheduling/once-per-cluster.js';
import { CheckDueDomains } from '../application/check-due-domains.service.js';

const MINUTE_SECONDS = 60;

@Injectable()
export class DomainSchedules {
  constructor(
    private readonly once: OncePerCluster,
    private readonly checkDueDomains: CheckDueDomains,
  ) {}

  @Cron('11 * * * * *', { waitForCompletion: true })
  async checkDomains(): Promise<void> {
    await this.once.run('check-domains', MINUTE_SECONDS, () => this.checkDueDomains.run());
  }
}
