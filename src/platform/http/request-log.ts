import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Response } from 'express';

import { Log } from '../logging/log.js';
import { Metrics } from '../metrics/metrics.js';
import { Tracing } from '../tracing/tracing.js';
import type { AuthenticatedRequest } from './access/caller.js';

/** Records one wide line, one metric and one span per request; no bodies, no secrets, no addresses. */
@Injectable()
export class RequestLog implements NestMiddleware {
  constructor(
    private readonly log: Log,
    private readonly metrics: Metrics,
    private readonly tracing: Tracing,
  ) {}

  use(request: AuthenticatedRequest, response: Response, next: NextFunction): void {
    const startedAt = performance.now();
    this.tracing.beginRequest(request);
    response.on('close', () => {
      const route = (request.route as { path?: string } | undefined)?.path ?? 'unmatched';
      const durationMs = performance.now() - startedAt;
      const { method, caller } = request;
      const status = response.writableFinished ? response.statusCode : 499;
      this.metrics.requests.observe({ method, route, status }, durationMs / 1_000);
      this.tracing.endRequest(request, { method, route, status, accountId: caller?.accountId });
      this.log.info({
        event: 'request',
        method,
        route,
        status,
        durationMs: Math.round(durationMs * 10) / 10,
        accountId: caller?.accountId,
        ...(caller?.kind === 'key' ? { apiKeyId: caller.apiKeyId } : { userId: caller?.userId }),
      });
    });
    next();
  }
}
