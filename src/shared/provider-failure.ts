import { DomainError } from './domain-error.js';

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
