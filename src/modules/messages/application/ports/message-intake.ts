import type { CapUsage, ReachedCap } from '../../domain/daily-caps.js';
import type { IdempotencyKey } from '../../domain/idempotency.js';
import type { NewGroup } from '../../domain/message-group.js';

export type IntakeResult =
  /** The usage includes all messages of the group. */
  | { outcome: 'accepted'; usage: CapUsage }
  /** The idempotency key belongs to an earlier message. */
  | { outcome: 'duplicate' }
  | { outcome: 'suppressed' }
  /** The topic, by its name, that the message has and its recipient is out of. */
  | { outcome: 'out_of_topic'; topic: string }
  /** The account does not have the topic of the message, or it was deleted. */
  | { outcome: 'unknown_topic' }
  | { outcome: 'over_cap'; cap: ReachedCap };

export interface IntakeConditions {
  /** The daily limit of the key. */
  keyLimit: number | null;
  idempotencyKey: IdempotencyKey | undefined;
  /** Set for a plain group whose recipient and topic have not been checked: see `SuppressionList.hashOf`. */
  recipientHash?: string | undefined;
}

export abstract class MessageIntake {
  /**
   * Counts all messages of the group under the caps and stores them, with contents, attachments, tags, pending
   * deliveries and idempotency keys, in one transaction that has committed when this resolves, and enqueues the
   * deliveries that are due. A group is accepted as a whole or not at all: only `accepted` counts and stores anything.
   * With a `recipientHash` it may be `suppressed`, `out_of_topic` or `unknown_topic`.
   * Throws `unavailable` if the account is gone.
   */
  abstract accept(group: NewGroup, conditions: IntakeConditions): Promise<IntakeResult>;
}
