import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';

import { OncePerCluster } from '../../../platform/scheduling/once-per-cluster.js';
import { RollUpMessages } from '../application/roll-up-messages.service.js';
import { RetainMessages } from '../application/retain-messages.service.js';
import { SweepDeliveries } from '../application/sweep-deliveries.service.js';

const SWEEP_SECONDS = 5;
const ROLL_UP_SECONDS = 5;
const HOUR_SECONDS = 3_600;

@Injectable()
export class MessageSchedules implements OnModuleInit {
  constructor(
    private readonly once: OncePerCluster,
    private readonly sweepDeliveries: SweepDeliveries,
    private readonly rollUpMessages: RollUpMessages,
    private readonly retainMessages: RetainMessages,
  ) {}

  /** Every process ensures that its first messages have a partition. */
  async onModuleInit(): Promise<void> {
    await this.retainMessages.ensurePartitions();
  }

  @Cron(`*/${SWEEP_SECONDS} * * * * *`, { waitForCompletion: true })
  async sweep(): Promise<void> {
    await this.once.run('sweep-deliveries', SWEEP_SECONDS, () => this.sweepDeliveries.sweep());
  }

  @Cron(`*/${ROLL_UP_SECONDS} * * * * *`, { waitForCompletion: true })
  async rollUp(): Promise<void> {
    await this.once.run('digest-messages', ROLL_UP_SECONDS, () => this.rollUpMessages.rollUp());
  }

  @Cron('0 7 * * * *', { waitForCompletion: true })
  async retain(): Promise<void> {
    await this.once.run('retain-messages', HOUR_SECONDS, async () => {
      await this.retainMessages.ensurePartitions();
      await this.retainMessages.purgeExpired();
    });
  }
}
