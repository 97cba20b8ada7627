import { DomainError } from '../../../shared/domain-error.js';
import { testAccountIdOf } from '../../../shared/test-account.js';

/**
 * Calls `use` with the account of a session and, if that throws `not_found`, with its test account. `use` must have no
 * effect when it does. If neither finds anything, the first error is thrown.
 */
export async function inEitherAccount<T>(accountId: string, use: (accountId: string) => Promise<T>): Promise<T> {
  try {
    return await use(accountId);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return use(testAccountIdOf(accountId)).catch((second: unknown) => {
      throw isNotFound(second) ? error : second;
    });
  }
}

const isNotFound = (error: unknown): boolean => error instanceof DomainError && error.kind === 'not_found';
