import type { Response } from 'express';

import { type CapUsage, tighterCap } from '../../messages/index.js';

/** As they are described. */
export const RATE_LIMIT_HEADERS = {
  'X-RateLimit-Limit': {
    description: "The tighter of the key's and the account's daily cap",
    schema: { type: 'integer' },
  },
  'X-RateLimit-Remaining': { description: 'What is left of it today', schema: { type: 'integer' } },
  'X-RateLimit-Reset': {
    description: 'When it is renewed (next UTC midnight), in Unix seconds',
    schema: { type: 'integer' },
  },
} as const;

/** The tighter of the key's and the account's cap; the reset in Unix seconds. */
export function setRateLimitHeaders(response: Response, usage: CapUsage, resetsAt: Date): void {
  const { limit, remaining } = tighterCap(usage);
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
  response.setHeader('X-RateLimit-Reset', Math.floor(resetsAt.getTime() / 1_000));
}
