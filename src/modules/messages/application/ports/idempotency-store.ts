import type { IdempotencyRecord } from '../../domain/idempotency.js';

/** Accepted requests with an Idempotency-Key. MessageIntake stores them. */
export abstract class IdempotencyStore {
  /** The accepted request of this API key that had this idempotency key, if it has not expired. */
  abstract find(accountId: string, apiKeyId: string, key: string): Promise<IdempotencyRecord | undefined>;

  abstract purgeExpiredAcrossAccounts(): Promise<void>;
}
