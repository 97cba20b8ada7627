import type { BatchEntry } from './batch.js';

/** How long a request with an Idempotency-Key is recognised when it is repeated. */
export const IDEMPOTENCY_KEY_HOURS = 24;

export interface IdempotencyKey {
  /** As the client chose it; unique per API key. */
  key: string;
  /** A hash of the request: equal for equal requests only. */
  fingerprint: string;
}

/** A request with an Idempotency-Key that was accepted. */
export interface IdempotencyRecord {
  fingerprint: string;
  /** The first of a batch. */
  messageId: string;
  /** Of a batch; null for a single send. */
  entries: readonly BatchEntry[] | null;
}
