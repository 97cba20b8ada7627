import { Processor } from '@nestjs/bullmq';

import { JOBS_AT_A_TIME } from '../../../config/limits.js';
import { type JobHandlers, QueueProcessor, WORKER_OPTIONS } from '../../../platform/queue/queue-processor.js';
import { RunImports } from '../application/run-imports.service.js';

@Processor('maintenance', { ...WORKER_OPTIONS, concurrency: JOBS_AT_A_TIME.maintenance })
export class MaintenanceProcessor extends QueueProcessor<'maintenance'> {
  readonly handlers: JobHandlers<'maintenance'> = {
    'import-contacts': ({ accountId }, stopping) => this.runImports.run(accountId, stopping),
  };

  constructor(private readonly runImports: RunImports) {
    super();
  }
}
