import type { BatchEntry, NewBatch } from '../../domain/batch.js';
import type { CapUsage, ReachedCap } from '../../domain/daily-caps.js';

export type BatchResult =
  /** At least one message. The usage includes them; entries of messages over a cap have its name. */
  | { outcome: 'accepted'; entries: readonly BatchEntry[]; usage: CapUsage }
  /** The idempotency key belongs to an earlier request. */
  | { outcome: 'duplicate' }
  | { outcome: 'over_cap'; cap: ReachedCap };

export abstract class BatchIntake {
  /**
   * Like MessageIntake and GroupIntake, for all messages of a request in one transaction, which also stores the entries
   * with the idempotency key. Groups are accepted in order, each as a whole or not at all. Only `accepted` counts and
   * stores anything.
   */
  abstract accept(batch: NewBatch): Promise<BatchResult>;
}
