import type { components } from './schema.js';

/** The rest of the daily limit at the time of the response, of the key or of the account, whichever is lower. */
export interface RateLimit {
  limit: number;
  remaining: number;
  /** The next UTC midnight. */
  resetsAt: Date;
}

/** The base class of all errors of a call. Nothing else is thrown, except the reason of an aborted `signal`. */
export abstract class DeliveryError extends Error {
  /** The number of requests that were made. */
  attempts = 1;
  /** Set for a send: repeat it with this key to be sure that the message is sent once. */
  idempotencyKey: string | undefined;
  /** Whether one of the requests may have had its effect although the call failed. */
  mayHaveSucceeded = true;
}

/** The stable code of an error. The known ones are named; a later version of the service may have more. */
export type ErrorCode = components['schemas']['ErrorResponse']['code'] | (string & {});

/** The service refused the call or failed. `message` is that of the service. */
export class ApiError extends DeliveryError {
  override readonly name = 'ApiError';

  constructor(
    /** The HTTP status: 400 invalid, 401 key, 403 scope, 404, 409 conflict, 429 daily limit, 5xx failure. */
    readonly status: number,
    message: string,
    /** The reason phrase of the status. */
    readonly reason: string,
    /** The daily limit. Null if the response has none: only those of sends do. */
    readonly rateLimit: RateLimit | null,
    /** Seconds after which to retry; null if the response does not say. */
    readonly retryAfterSeconds: number | null,
    /** Null if the response comes from something other than the service, such as a proxy. */
    readonly code: ErrorCode | null = null,
  ) {
    super(message);
    // 5xx is also the response of a proxy that has stopped waiting for the service.
    this.mayHaveSucceeded = status >= 500 || status === 408;
  }

  /**
   * Creates the error of an unsuccessful response from its body: JSON of the service, or the text of an intermediary.
   */
  static fromResponse({ status, statusText, headers }: Response, body: unknown): ApiError {
    const { message, error, code } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
    const location = headers.get('location');
    const fallback =
      status < 400 && location !== null
        ? `The service redirects to ${location}: set baseUrl to the address it redirects to`
        : `The service responded with status ${status}`;
    return new ApiError(
      status,
      typeof message === 'string' ? message : fallback,
      typeof error === 'string' ? error : statusText,
      rateLimitIn(headers),
      secondsIn(headers.get('retry-after')),
      typeof code === 'string' ? code : null,
    );
  }
}

/** No response arrived: no connection, or it was lost (`cause`). It is unknown whether the call had an effect. */
export class ConnectionError extends DeliveryError {
  override readonly name: string = 'ConnectionError';
}

/** No complete response arrived within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

function rateLimitIn(headers: Headers): RateLimit | null {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
  if (limit == null || remaining == null || reset == null) return null;
  return { limit: Number(limit), remaining: Number(remaining), resetsAt: new Date(Number(reset) * 1_000) };
}

/** `Retry-After` is a number of seconds or a date. */
function secondsIn(value: string | null): number | null {
  if (value === null) return null;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}
