import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Metrics } from '../../../platform/metrics/metrics.js';
import { Tracing } from '../../../platform/tracing/tracing.js';
import type { Channel } from '../../../shared/channel.js';
import { type CapUsage, DailyCaps } from '../../messages/index.js';
import { setRateLimitHeaders } from './rate-limit-headers.js';

interface AcceptedSend {
  messageId: string;
  copies?: readonly { messageId: string }[];
  /** Null for a repeated request: nothing was counted, and the headers set by the guard stay. */
  usage: CapUsage | null;
}

/** Sets the headers of the response to an accepted send, and counts and traces it. */
@Injectable()
export class ReportAcceptedSend {
  constructor(
    private readonly caps: DailyCaps,
    private readonly metrics: Metrics,
    private readonly tracing: Tracing,
  ) {}

  report(response: Response, channel: Channel, { messageId, copies = [], usage }: AcceptedSend): void {
    if (usage === null) {
      response.setHeader('Idempotent-Replayed', 'true');
      return;
    }
    setRateLimitHeaders(response, usage, this.caps.resetsAt());
    this.count(response.req, channel, { messageId, copies });
  }

  /** Counts and traces the accepted messages, without setting the headers of a send. */
  count(request: Request, channel: Channel, { messageId, copies = [] }: Omit<AcceptedSend, 'usage'>): void {
    this.metrics.accepted.inc({ channel }, 1 + copies.length);
    for (const id of [messageId, ...copies.map((copy) => copy.messageId)])
      this.tracing.acceptMessage(request, id, { channel });
  }
}
