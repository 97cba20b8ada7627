import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Response } from 'express';

import type { AuthenticatedRequest, KeyCaller } from '../../../platform/http/access/caller.js';
import { DailyCaps } from '../../messages/index.js';
import { setRateLimitHeaders } from './rate-limit-headers.js';

/**
 * Refuses a send whose key or account has nothing left today before its body is looked at. The cap itself is held by
 * the statement that stores the message; this only decides which fault a caller hears of first.
 */
@Injectable()
export class DailyCapsGuard implements CanActivate {
  constructor(private readonly caps: DailyCaps) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { accountId, apiKeyId, dailyLimit } = http.getRequest<AuthenticatedRequest>().caller as KeyCaller;
    const usage = await this.caps.peek(accountId, apiKeyId, dailyLimit);
    setRateLimitHeaders(http.getResponse<Response>(), usage, this.caps.resetsAt());
    const refusal = this.caps.refusal(usage);
    if (refusal) throw refusal;
    return true;
  }
}
