import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { JobQueue } from '../../../shared/ports/job-queue.js';
import { ImportRetention } from './ports/import-retention.js';
import { ImportRuns } from './ports/import-runs.js';

/** Finds imports that no worker is at: their job was lost, or the process that had them. */
@Injectable()
export class SweepImports {
  constructor(
    private readonly runs: ImportRuns,
    private readonly retention: ImportRetention,
    private readonly queue: JobQueue,
    private readonly clock: Clock,
  ) {}

  async sweep(): Promise<void> {
    const now = this.clock.now();
    await this.retention.letGoAcrossAccounts(now);
    const accountIds = await this.runs.listWaitingAcrossAccounts(now);
    if (accountIds.length === 0) return;
    await this.queue.enqueue(
      accountIds.map((accountId) => ({ name: 'import-contacts', payload: { accountId } }) as const),
    );
  }
}
