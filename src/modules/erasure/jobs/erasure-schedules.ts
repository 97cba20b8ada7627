import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';

import { OncePerCluster } from '../../../platform/scheduling/once-per-cluster.js';
import { EraseContacts } from '../application/erase-contacts.service.js';

const MINUTE_SECONDS = 60;

@Injectable()
export class ErasureSchedules {
  constructor(
    private readonly once: OncePerCluster,
    private readonly eraseContacts: EraseContacts,
  ) {}

  @Cron('23 * * * * *', { waitForCompletion: true })
  async eraseAgain(): Promise<void> {
    await this.once.run('erase-contacts', MINUTE_SECONDS, () => this.eraseContacts.eraseDue());
  }
}
