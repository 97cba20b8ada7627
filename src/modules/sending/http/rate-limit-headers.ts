import type { Response } from 'express';

import { type CapUsage, tighterCap } from '../../messages/index.js';

/** The OpenAPI description of the headers. */
export const RATE_LIMIT_HEADERS = {
  'X-RateLimit-Limit': {
    description: 'The daily limit in messages: that of the key or that of the account, whichever has less left',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Remaining': { description: 'Messages left today', schema: { type: 'integer' } },
  'X-RateLimit-Reset': {
    description: 'When the limit resets (next UTC midnight), in Unix seconds',
    schema: { type: 'integer' },
  },
} as const;

/** Sets no headers without a limit. */
export function setRateLimitHeaders(response: Response, usage: CapUsage, resetsAt: Date): void {
  const cap = tighterCap(usage);
  if (cap === null) return;
  const { limit, remaining } = cap;
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
  response.setHeader('X-RateLimit-Reset', Math.floor(resetsAt.getTime() / 1_000));
}
