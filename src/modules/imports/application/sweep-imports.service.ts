import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { JobQueue } from '../../../shared/ports/job-queue.js';
import { ImportClaims } from './ports/import-claims.js';
import { ImportRepository } from './ports/import.repository.js';

/** Enqueues jobs for imports whose job or worker was lost, and purges expired imports. */
@Injectable()
export class SweepImports {
  constructor(
    private readonly imports: ImportRepository,
    private readonly claims: ImportClaims,
    private readonly queue: JobQueue,
    private readonly clock: Clock,
  ) {}

  async sweep(): Promise<void> {
    const accountIds = await this.claims.listWaitingAcrossAccounts();
    if (accountIds.length > 0)
      await this.queue.enqueue(
        accountIds.map((accountId) => ({ name: 'import-contacts', payload: { accountId } }) as const),
      );
    // Last, so that an import does not wait while the purge fails.
    await this.imports.purgeExpiredAcrossAccounts(this.clock.now());
  }
}
