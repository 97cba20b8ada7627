import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Response } from 'express';

import type { AuthenticatedRequest, KeyCaller } from '../../../platform/http/access/caller.js';
import { DailyCaps } from '../../messages/index.js';
import { IdempotentSend } from '../application/idempotent-send.service.js';
import { rawIdempotencyKey } from './idempotency-key.js';
import { setRateLimitHeaders } from './rate-limit-headers.js';

/**
 * Refuses a send whose key or account has nothing left today before its body is looked at. The cap itself is held by
 * the statement that stores the message; this only decides which fault a caller hears of first. A send that was accepted
 * before is let through: its answer is repeated.
 */
@Injectable()
export class DailyCapsGuard implements CanActivate {
  constructor(
    private readonly caps: DailyCaps,
    private readonly repeated: IdempotentSend,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    const { accountId, apiKeyId, dailyLimit } = request.caller as KeyCaller;
    const usage = await this.caps.peek(accountId, apiKeyId, dailyLimit);
    setRateLimitHeaders(http.getResponse<Response>(), usage, this.caps.resetsAt());
    const refusal = this.caps.refusal(usage);
    if (!refusal) return true;
    const key = rawIdempotencyKey(request);
    if (key !== undefined && (await this.repeated.isKnown(accountId, apiKeyId, key))) return true;
    throw refusal;
  }
}
