import { Injectable } from '@nestjs/common';
import type { Response } from 'express';

import { Metrics } from '../../../platform/metrics/metrics.js';
import type { Channel } from '../../../shared/channel.js';
import { type CapUsage, DailyCaps } from '../../messages/index.js';
import { setRateLimitHeaders } from './rate-limit-headers.js';

/** Sets the headers of the response to an accepted send, and counts it. */
@Injectable()
export class ReportAcceptedSend {
  constructor(
    private readonly caps: DailyCaps,
    private readonly metrics: Metrics,
  ) {}

  /** `usage` is null for a repeated request: nothing was counted, and the headers set by the guard stay. */
  report(response: Response, channel: Channel, usage: CapUsage | null): void {
    if (usage === null) {
      response.setHeader('Idempotent-Replayed', 'true');
      return;
    }
    setRateLimitHeaders(response, usage, this.caps.resetsAt());
    this.metrics.accepted.inc({ channel });
  }
}
