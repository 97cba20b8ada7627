import type { BatchEntry, BatchMode } from '../../domain/batch.js';
import type { CapUsage, ReachedCap } from '../../domain/daily-caps.js';
import type { IdempotencyKey } from '../../domain/idempotency.js';
import type { NewGroup } from '../../domain/message-group.js';

/** The messages of one request, counted and stored together. */
export interface NewBatch {
  accountId: string;
  apiKeyId: string | null;
  keyLimit: number | null;
  mode: BatchMode;
  /** The messages without a fault, at least one; all belong to the account and the key, if any, above. */
  groups: readonly NewGroup[];
  /** One entry for each message of the request, in order, as it is if all groups are accepted. */
  entries: readonly BatchEntry[];
  idempotencyKey: IdempotencyKey | undefined;
}

export type BatchResult =
  /** At least one message. The usage includes them; entries of messages over a cap have its name. */
  | { outcome: 'accepted'; entries: readonly BatchEntry[]; usage: CapUsage }
  /** The idempotency key belongs to an earlier request. */
  | { outcome: 'duplicate' }
  | { outcome: 'over_cap'; cap: ReachedCap };

export abstract class BatchIntake {
  /**
   * Like MessageIntake, for all messages of a request in one transaction, which also stores the entries with the
   * idempotency key. In mode `all`, all groups are accepted or none, otherwise in order, each as a whole or not at all.
   * Only `accepted` counts and stores anything.
   */
  abstract accept(batch: NewBatch): Promise<BatchResult>;
}
