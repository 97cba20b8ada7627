import { createParamDecorator, type ExecutionContext, Injectable, type PipeTransform } from '@nestjs/common';

import { AccessGuard } from './access.guard.js';

/** Authenticates the caller once more; throws like the guard. */
export type AccessCheck = () => Promise<void>;

@Injectable()
class ToRecheck implements PipeTransform<ExecutionContext, AccessCheck> {
  constructor(private readonly access: AccessGuard) {}

  transform(context: ExecutionContext): AccessCheck {
    return async () => {
      await this.access.canActivate(context);
    };
  }
}

/**
 * Repeats the authentication in a handler that waits: the key may have been revoked, or the user deleted, meanwhile.
 */
export const RecheckAccess = () => createParamDecorator((_: unknown, context: ExecutionContext) => context)(ToRecheck);
