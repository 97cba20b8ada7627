import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';

import { overloaded, RequestsInFlight } from '../metrics/requests-in-flight.js';
import { OperationsController } from './operations.controller.js';

/** Refuses what is beyond the limit before anything is done for it. Who looks at the state of the process is always answered. */
@Injectable()
export class LoadGuard implements CanActivate {
  constructor(private readonly inFlight: RequestsInFlight) {}

  canActivate(context: ExecutionContext): boolean {
    if (!this.inFlight.isFull || context.getClass() === OperationsController) return true;
    throw overloaded();
  }
}
