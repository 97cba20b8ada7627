import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';

import { whenClientLeaves } from './client-leaves.js';
import { ReadLimiter } from './read-limiter.js';
import type { AuthenticatedRequest } from './access/caller.js';

/**
 * Holds a read permit of the account while the handler runs, not while the client receives the response. See
 * `limitReads`.
 */
@Injectable()
export class ReadInterceptor implements NestInterceptor {
  constructor(private readonly reads: ReadLimiter) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const http = context.switchToHttp();
    const { caller } = http.getRequest<AuthenticatedRequest>();
    if (!caller) return next.handle();
    const gone = whenClientLeaves(http.getResponse<Response>());
    const handle = () => lastValueFrom(next.handle(), { defaultValue: undefined });
    return from(this.reads.run(caller.accountId, handle, gone));
  }
}
