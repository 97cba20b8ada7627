import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';

import { OncePerCluster } from '../../../platform/scheduling/once-per-cluster.js';
import { DigestMessages } from '../application/digest-messages.service.js';
import { RetainMessages } from '../application/retain-messages.service.js';
import { SweepDeliveries } from '../application/sweep-deliveries.service.js';

const SWEEP_SECONDS = 5;
const DIGEST_SECONDS = 5;
const HOUR_SECONDS = 3_600;

@Injectable()
export class MessageSchedules implements OnModuleInit {
  constructor(
    private readonly once: OncePerCluster,
    private readonly sweepDeliveries: SweepDeliveries,
    private readonly digestMessages: DigestMessages,
    private readonly retainMessages: RetainMessages,
  ) {}

  /** Every process makes sure before it takes messages. */
  async onModuleInit(): Promise<void> {
    await this.retainMessages.makeRoom();
  }

  @Cron(`*/${SWEEP_SECONDS} * * * * *`, { waitForCompletion: true })
  async sweep(): Promise<void> {
    await this.once.run('sweep-deliveries', SWEEP_SECONDS, () => this.sweepDeliveries.sweep());
  }

  @Cron(`*/${DIGEST_SECONDS} * * * * *`, { waitForCompletion: true })
  async digest(): Promise<void> {
    await this.once.run('digest-messages', DIGEST_SECONDS, () => this.digestMessages.digest());
  }

  @Cron('0 7 * * * *', { waitForCompletion: true })
  async retain(): Promise<void> {
    await this.once.run('retain-messages', HOUR_SECONDS, async () => {
      await this.retainMessages.makeRoom();
      await this.retainMessages.letGo();
    });
  }
}
