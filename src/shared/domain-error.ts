import type { ErrorCode } from './error-codes.js';

/** Entry points translate the kind, HTTP to 400, 401, 403, 404, 409, 429, 500 or 503. */
export type DomainErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'limit_exceeded'
  | 'provider'
  | 'unavailable';

export class DomainError extends Error {
  constructor(
    readonly kind: DomainErrorKind,
    /** The stable code of the error; see ERROR_CODES. */
    readonly code: ErrorCode,
    message: string,
    /** Seconds after which the same call may succeed. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = 'DomainError';
  }

  static invalid(message: string, code: ErrorCode = 'validation'): DomainError {
    return new DomainError('invalid', code, message);
  }

  /** Used for rows that do not exist and, indistinguishably, for rows of other accounts. */
  static notFound(what: string): DomainError {
    return new DomainError('not_found', 'not_found', `${what} not found`);
  }

  static conflict(message: string): DomainError {
    return new DomainError('conflict', 'conflict', message);
  }
}

/** Fields of a request are invalid. */
export class InvalidFields extends DomainError {
  constructor(
    /** The faults; each begins with the name of its field. */
    readonly faults: readonly string[],
  ) {
    super('invalid', 'validation', faults.join('; '));
  }
}

/** The process has no capacity for the call at the moment. */
export class OverloadError extends DomainError {
  constructor() {
    super('unavailable', 'overloaded', 'The service is overloaded', 1);
  }
}

/** A provider refused a request or could not be reached. */
export class ProviderFailure extends DomainError {
  /** `detail` is shown to the account's admin. */
  constructor(readonly detail: string) {
    super('provider', 'provider_error', `Provider error: ${detail}`);
  }
}
