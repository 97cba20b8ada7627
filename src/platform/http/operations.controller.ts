import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';

import { Metrics } from '../metrics/metrics.js';
import { Readiness } from '../metrics/readiness.js';
import { Public } from './access/access.js';
import { HealthResponse } from './health.response.js';
import { AllowUnknownFields } from './unknown-fields.js';
import { OperationId } from './operation-id.js';

const DOWN = { status: 'down', checks: { database: 'down', queue: 'up', load: 'up' } };

@Controller()
@ApiTags('Operations')
@AllowUnknownFields()
export class OperationsController {
  constructor(
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
  ) {}

  /** Responds as long as the process runs. */
  @Get('health/live')
  @OperationId('getLiveness')
  @Public()
  @ApiOkResponse({ type: HealthResponse })
  live(): HealthResponse {
    return { status: 'up', checks: {} };
  }

  /**
   * Responds with 503 while the database cannot be reached, and shortly before requests are refused because of
   * overload. Without the queue the status is `degraded`, with 200: messages are accepted, and delivered once it is
   * back.
   */
  @Get('health/ready')
  @OperationId('getReadiness')
  @Public()
  @ApiOkResponse({ type: HealthResponse })
  @ApiServiceUnavailableResponse({ type: HealthResponse, example: DOWN })
  async ready(@Res({ passthrough: true }) response: Response): Promise<HealthResponse> {
    const health = await this.readiness.check();
    if (health.status === 'down') response.status(503);
    return health;
  }

  /** Metrics in the Prometheus text format. */
  @Get('metrics')
  @OperationId('getMetrics')
  @Public()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  @ApiProduces('text/plain')
  @ApiOkResponse({ schema: { type: 'string' } })
  async read(): Promise<string> {
    return this.metrics.text();
  }
}
