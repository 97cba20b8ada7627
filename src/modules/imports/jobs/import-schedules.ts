import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';

import { OncePerCluster } from '../../../platform/scheduling/once-per-cluster.js';
import { SweepImports } from '../application/sweep-imports.service.js';

const SWEEP_SECONDS = 10;

@Injectable()
export class ImportSchedules {
  constructor(
    private readonly once: OncePerCluster,
    private readonly sweepImports: SweepImports,
  ) {}

  @Cron(`*/${SWEEP_SECONDS} * * * * *`, { waitForCompletion: true })
  async sweep(): Promise<void> {
    await this.once.run('sweep-contact-imports', SWEEP_SECONDS, () => this.sweepImports.sweep());
  }
}
