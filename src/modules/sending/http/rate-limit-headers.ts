import type { Response } from 'express';

import { type CapUsage, tighterCap } from '../../messages/index.js';

/** The tighter of the key's and the account's cap; the reset in Unix seconds. */
export function setRateLimitHeaders(response: Response, usage: CapUsage, resetsAt: Date): void {
  const { limit, remaining } = tighterCap(usage);
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
  response.setHeader('X-RateLimit-Reset', Math.floor(resetsAt.getTime() / 1_000));
}
