import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';

import { OncePerCluster } from '../../../platform/scheduling/once-per-cluster.js';
import { Clock } from '../../../shared/ports/clock.js';
import { ConsentPartitions } from '../application/ports/consent-partitions.js';

const MONTHS = 4;
const HOUR_SECONDS = 3_600;

@Injectable()
export class ConsentSchedules implements OnModuleInit {
  constructor(
    private readonly once: OncePerCluster,
    private readonly partitions: ConsentPartitions,
    private readonly clock: Clock,
  ) {}

  /** Every process ensures that its first records have a partition. */
  async onModuleInit(): Promise<void> {
    await this.ensurePartitions();
  }

  @Cron('0 17 * * * *', { waitForCompletion: true })
  async ensureAhead(): Promise<void> {
    await this.once.run('ensure-consent-partitions', HOUR_SECONDS, () => this.ensurePartitions());
  }

  private ensurePartitions(): Promise<void> {
    return this.partitions.ensure(this.clock.now(), MONTHS);
  }
}
