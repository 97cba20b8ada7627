/** What went wrong, in terms that an entry point can translate (HTTP: 400, 401, 403, 404, 409, 429, 500, 503). */
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

  /** The same for a row that does not exist and for one of another account. */
  static notFound(what: string): DomainError {
    return new DomainError('not_found', 'not_found', `${what} not found`);
  }

  static conflict(message: string, code = 'conflict'): DomainError {
    return new DomainError('conflict', code, message);
  }
}
