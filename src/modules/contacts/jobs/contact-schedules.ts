import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';

import { OncePerCluster } from '../../../platform/scheduling/once-per-cluster.js';
import { EraseContacts } from '../application/erase-contacts.service.js';
import { SweepImports } from '../application/sweep-imports.service.js';

const SWEEP_SECONDS = 10;
const MINUTE_SECONDS = 60;

@Injectable()
export class ContactSchedules {
  constructor(
    private readonly once: OncePerCluster,
    private readonly sweepImports: SweepImports,
    private readonly eraseContacts: EraseContacts,
  ) {}

  @Cron(`*/${SWEEP_SECONDS} * * * * *`, { waitForCompletion: true })
  async sweep(): Promise<void> {
    await this.once.run('sweep-contact-imports', SWEEP_SECONDS, () => this.sweepImports.sweep());
  }

  @Cron('23 * * * * *', { waitForCompletion: true })
  async eraseAgain(): Promise<void> {
    await this.once.run('erase-contacts', MINUTE_SECONDS, () => this.eraseContacts.eraseDue());
  }
}
