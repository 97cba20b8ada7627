import { Injectable } from '@nestjs/common';

import { Log } from '../../../platform/logging/log.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { VisitLog } from '../application/ports/visit-log.js';
import type { Visit } from '../domain/visit.js';

@Injectable()
export class MetricsVisitLog extends VisitLog {
  constructor(
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {
    super();
  }

  count({ type }: Visit, outcome: string): void {
    this.metrics.visits.inc({ type, outcome });
  }

  warnFull(waiting: number): void {
    this.log.warn({ event: 'visits', outcome: 'dropped', waiting });
  }

  warnFailed({ messageId, type }: Visit, { message: error }: Error): void {
    this.log.warn({ event: 'visits', outcome: 'failed', messageId, type, error });
  }
}
