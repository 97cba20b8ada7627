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
    readonly code: string,
    message: string,
    /** Seconds after which the same call may succeed. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = 'DomainError';
  }

  static invalid(message: string, code = 'invalid'): DomainError {
    return new DomainError('invalid', code, message);
  }

  /** Used for rows that do not exist and, indistinguishably, for rows of other accounts. */
  static notFound(what: string): DomainError {
    return new DomainError('not_found', 'not_found', `${what} not found`);
  }

  static conflict(message: string, code = 'conflict'): DomainError {
    return new DomainError('conflict', code, message);
  }
}

/** Fields of a request are invalid. */
export class InvalidFields extends DomainError {
  constructor(
    /** Each begins with the name of its field. */
    readonly faults: readonly string[],
  ) {
    super('invalid', 'invalid', faults.join('; '));
  }
}

/** A provider refused a request or could not be reached. */
export class ProviderFailure extends DomainError {
  constructor(
    code: string,
    /** Shown to the account's admin. */
    readonly detail: string,
  ) {
    super('provider', code, `Provider error: ${detail}`);
  }
}
