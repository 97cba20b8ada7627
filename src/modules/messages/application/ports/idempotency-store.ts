import type { IdempotencyRecord } from '../../domain/idempotency-record.js';

/** Requests with an Idempotency-Key that have become messages. The intake remembers them, for 24 hours. */
export abstract class IdempotencyStore {
  /** The request of this API key that had this idempotency key; undefined where there was none, or none was accepted. */
  abstract find(accountId: string, apiKeyId: string, key: string): Promise<IdempotencyRecord | undefined>;

  abstract forgetExpiredAcrossAccounts(): Promise<void>;
}
