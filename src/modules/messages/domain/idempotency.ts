import type { BatchEntry } from './batch.js';

export interface IdempotencyKey {
  /** As the client chose it; unique per API key. */
  key: string;
  /** A hash of the request: equal for equal requests only. */
  fingerprint: string;
}

/** A request with an Idempotency-Key that was accepted. */
export interface IdempotencyRecord {
  fingerprint: string;
  /** The first message of a batch. */
  messageId: string;
  /** The results of a batch; null for a single send. */
  entries: readonly BatchEntry[] | null;
}
