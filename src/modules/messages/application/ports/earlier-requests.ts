import type { EarlierRequest } from '../../domain/earlier-request.js';

/** Requests with an Idempotency-Key that have become messages. The intake remembers them, for 24 hours. */
export abstract class EarlierRequests {
  /** The request of this API key that had this idempotency key; undefined where there was none, or none was accepted. */
  abstract find(accountId: string, apiKeyId: string, key: string): Promise<EarlierRequest | undefined>;

  abstract forgetExpiredAcrossAccounts(): Promise<void>;
}
