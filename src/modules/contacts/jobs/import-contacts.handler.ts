import { Injectable } from '@nestjs/common';

import { HandlesJob, type JobHandler } from '../../../platform/queue/job-handler.js';
import type { JobPayloads } from '../../../shared/jobs.js';
import { RunImports } from '../application/run-imports.service.js';

@Injectable()
@HandlesJob('import-contacts')
export class ImportContactsHandler implements JobHandler<'import-contacts'> {
  constructor(private readonly runImports: RunImports) {}

  handle({ accountId }: JobPayloads['import-contacts'], stopping: AbortSignal): Promise<void> {
    return this.runImports.run(accountId, stopping);
  }
}
