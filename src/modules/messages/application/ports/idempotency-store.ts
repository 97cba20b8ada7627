import type { IdempotencyRecord } from '../../domain/idempotency.js';

/** Accepted requests with an Idempotency-Key. MessageIntake stores them. */
export abstract class IdempotencyStore {
  /**
   * The accepted request of this API key that had this idempotency key, if it has not expired. Shares a statement with
   * other callers, so it must not be called in a transaction.
   */
  abstract find(accountId: string, apiKeyId: string, key: string): Promise<IdempotencyRecord | undefined>;

  /** Like `find` for each of these keys, in order. Joins the current transaction; asks the database once. */
  abstract findMany(
    accountId: string,
    apiKeyId: string,
    keys: readonly string[],
  ): Promise<(IdempotencyRecord | undefined)[]>;

  abstract purgeExpiredAcrossAccounts(): Promise<void>;
}
