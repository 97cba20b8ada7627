import { DomainError } from './domain-error.js';

/** A provider refused, or could not be reached. */
export class ProviderFailure extends DomainError {
  constructor(
    code: string,
    /** In words for the account's admin. */
    readonly detail: string,
  ) {
    super('provider', code, `Provider error: ${detail}`);
  }
}
