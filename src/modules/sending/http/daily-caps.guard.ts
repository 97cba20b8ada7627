import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Response } from 'express';

import type { AuthenticatedRequest, KeyCaller } from '../../../platform/http/access/caller.js';
import { DailyCaps } from '../../messages/index.js';
import { IdempotentSend } from '../application/idempotent-send.service.js';
import { rawIdempotencyKey } from './idempotency-key.js';
import { setRateLimitHeaders } from './rate-limit-headers.js';

/**
 * Refuses a send of a key or account that has reached its daily cap before the body is validated. The statement that
 * stores the message enforces the cap; this guard only decides which error takes precedence, by a usage that may be a
 * second old. A repeated send passes, so that it gets the response of the first one.
 */
@Injectable()
export class DailyCapsGuard implements CanActivate {
  constructor(
    private readonly caps: DailyCaps,
    private readonly idempotentSend: IdempotentSend,
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
    if (key !== undefined && (await this.idempotentSend.isKnown(accountId, apiKeyId, key))) return true;
    throw refusal;
  }
}
