import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';

import { RequestsInFlight } from '../metrics/requests-in-flight.js';
import { OverloadError } from '../../shared/domain-error.js';
import { OperationsController } from './operations.controller.js';

/** Refuses requests above the limit before any work is done for them, except for health checks and metrics. */
@Injectable()
export class LoadGuard implements CanActivate {
  constructor(private readonly inFlight: RequestsInFlight) {}

  canActivate(context: ExecutionContext): boolean {
    if (!this.inFlight.isFull || context.getClass() === OperationsController) return true;
    throw new OverloadError();
  }
}
