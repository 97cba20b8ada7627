import { describe, expect, it } from '@jest/globals';

import { classifyAttempt } from './attempt-outcome.js';
import type { AttemptResult } from './webhook-delivery.js';

const NOW = new Date('2026-11-21T10:00:00Z');

const result = (statusCode: number | null, retryAfter: string | null = null): AttemptResult => ({
  startedAt: NOW,
  durationMs: 5,
  requestHeaders: {},
  statusCode,
  retryAfter,
  responseHeaders: null,
  responseBody: null,
  error: null,
});

describe('classifyAttempt', () => {
  it.each([200, 201, 202, 204, 299])('takes %i for a success', (status) => {
    expect(classifyAttempt(result(status), 1, NOW, 0)).toEqual({ state: 'delivered', nextAttemptAt: null });
  });

  it.each([408, 429, 500, 503, 599, null])('retries after %p until six attempts have failed', (status) => {
    const nextAttemptAt = new Date('2026-11-21T10:04:00Z');
    expect(classifyAttempt(result(status), 3, NOW, 0)).toEqual({ state: 'retrying', nextAttemptAt });
    expect(classifyAttempt(result(status), 6, NOW, 0)).toEqual({ state: 'failed', nextAttemptAt: null });
  });

  it.each([100, 199, 300, 301, 304, 400, 401, 404, 410, 499])('takes %i for a permanent failure', (status) => {
    expect(classifyAttempt(result(status, '60'), 1, NOW, 0)).toEqual({
      state: 'failed_permanent',
      nextAttemptAt: null,
    });
  });

  it('waits as long as Retry-After asks', () => {
    const { nextAttemptAt } = classifyAttempt(result(503, '600'), 1, NOW, 0);
    expect(nextAttemptAt).toEqual(new Date('2026-11-21T10:10:00Z'));
  });
});
