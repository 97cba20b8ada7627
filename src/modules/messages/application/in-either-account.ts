import { DomainError } from '../../../shared/domain-error.js';
import { testAccountIdOf } from '../../../shared/test-account.js';

/**
 * Calls `use` with the account of a session and, if the account has no such message, with its test account. `use` must
 * have no effect when it throws `not_found`.
 */
export async function inEitherAccount<T>(accountId: string, use: (accountId: string) => Promise<T>): Promise<T> {
  try {
    return await use(accountId);
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'not_found') throw error;
    return use(testAccountIdOf(accountId));
  }
}
