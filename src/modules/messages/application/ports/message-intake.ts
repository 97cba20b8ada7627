import type { CapUsage, ReachedCap } from '../../domain/daily-caps.js';
import type { NewMessage } from '../../domain/delivery.js';
import type { IdempotencyKey } from '../../domain/idempotency.js';

export type IntakeResult =
  /** The usage includes the message. */
  | { outcome: 'accepted'; usage: CapUsage }
  /** The idempotency key belongs to an earlier message. */
  | { outcome: 'duplicate' }
  | { outcome: 'over_cap'; cap: ReachedCap };

export type MessageIntakeResult = IntakeResult | { outcome: 'suppressed' };

export interface IntakeConditions {
  /** The daily limit of the key. */
  keyLimit: number | null;
  idempotencyKey: IdempotencyKey | undefined;
  /** Set if the recipient has not been looked up in the suppression list: see `SuppressionList.hashOf`. */
  recipientHash?: string | undefined;
}

export abstract class MessageIntake {
  /**
   * Counts the message under the caps and stores it, its content, its pending delivery and its idempotency key, all in
   * one transaction that has committed when this resolves. Only `accepted` counts and stores anything. With a
   * `recipientHash` it is `suppressed` if its recipient is. Throws `unavailable` if the account is gone.
   */
  abstract accept(message: NewMessage, conditions: IntakeConditions): Promise<MessageIntakeResult>;
}
