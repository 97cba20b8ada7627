import { describe, expect, it } from '@jest/globals';

import { judge } from './verdict.js';
import type { AttemptResult } from './webhook-delivery.js';

const NOW = new Date('2026-11-21T10:00:00Z');

const result = (statusCode: number | null, retryAfter: string | null = null): AttemptResult => ({
  startedAt: NOW,
  durationMs: 5,
  requestHeaders: {},
  statusCode,
  retryAfter,
  responseBody: null,
  error: null,
});

describe('What an attempt means', () => {
  it.each([200, 201, 202, 204, 299])('%i: delivered', (status) => {
    expect(judge(result(status), 1, NOW, 0)).toEqual({ state: 'delivered', nextAttemptAt: null });
  });

  it.each([408, 429, 500, 503, 599, null])('%p: tried again, and failed after the sixth', (status) => {
    const nextAttemptAt = new Date('2026-11-21T10:04:00Z');
    expect(judge(result(status), 3, NOW, 0)).toEqual({ state: 'retrying', nextAttemptAt });
    expect(judge(result(status), 6, NOW, 0)).toEqual({ state: 'failed', nextAttemptAt: null });
  });

  it.each([100, 199, 300, 301, 304, 400, 401, 404, 410, 499])('%i: failed for good', (status) => {
    expect(judge(result(status, '60'), 1, NOW, 0)).toEqual({ state: 'failed_permanent', nextAttemptAt: null });
  });

  it('waits as long as the receiver asks for', () => {
    const { nextAttemptAt } = judge(result(503, '600'), 1, NOW, 0);
    expect(nextAttemptAt).toEqual(new Date('2026-11-21T10:10:00Z'));
  });
});
