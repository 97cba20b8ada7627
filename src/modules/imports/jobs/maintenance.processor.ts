import { Processor } from '@nestjs/bullmq';

import { type JobHandlers, QueueProcessor, WORKER_OPTIONS } from '../../../platform/queue/queue-processor.js';
import { RunImports } from '../application/run-imports.service.js';

@Processor('maintenance', { ...WORKER_OPTIONS, concurrency: 2 })
export class MaintenanceProcessor extends QueueProcessor<'maintenance'> {
  readonly handlers: JobHandlers<'maintenance'> = {
    'import-contacts': ({ accountId }, stopping) => this.runImports.run(accountId, stopping),
  };

  constructor(private readonly runImports: RunImports) {
    super();
  }
}
