import { describe, expect, it } from '@jest/globals';

import { ApiError, ConnectionError, TimeoutError } from './errors.js';
import { retryDelayMs } from './retry.js';

const apiError = (status: number, retryAfterSeconds: number | null = null) =>
  new ApiError(status, 'message', 'reason', null, retryAfterSeconds);

describe('retryDelayMs', () => {
  it('doubles from half a second to eight seconds, minus up to half', () => {
    const delays = (random: number) => [0, 1, 2, 3, 4, 5, 50].map((n) => retryDelayMs(apiError(500), n, () => random));
    expect(delays(0)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
    expect(delays(1)).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]);
  });

  it.each([408, 429, 500, 502, 503, 504, 520])('repeats after %i', (status) => {
    expect(retryDelayMs(apiError(status), 0, () => 0)).toBe(500);
  });

  it.each([301, 400, 401, 403, 404, 409, 411, 413, 415, 422])('does not repeat after %i', (status) => {
    expect(retryDelayMs(apiError(status, 1), 0)).toBeNull();
  });

  it('repeats if no response arrived', () => {
    expect(retryDelayMs(new ConnectionError('reset'), 0, () => 0)).toBe(500);
    expect(retryDelayMs(new TimeoutError('late'), 1, () => 0)).toBe(1_000);
  });

  it('waits for Retry-After and a little longer, but never for half a minute', () => {
    expect(retryDelayMs(apiError(503, 0), 0, () => 0)).toBe(500);
    expect(retryDelayMs(apiError(503, 2), 0, () => 0)).toBe(2_500);
    expect(retryDelayMs(apiError(429, 30), 0, () => 0)).toBe(30_500);
    expect(retryDelayMs(apiError(429, 31), 0)).toBeNull();
    expect(retryDelayMs(apiError(429, 40_000), 0)).toBeNull();
  });

  it('does not repeat what is no failure of a request', () => {
    expect(retryDelayMs(new TypeError('a fault of the program'), 0)).toBeNull();
    expect(retryDelayMs(new DOMException('aborted', 'AbortError'), 0)).toBeNull();
  });
});
