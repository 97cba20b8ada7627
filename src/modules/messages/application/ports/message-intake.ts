import type { CapUsage, ReachedCap } from '../../domain/daily-caps.js';
import type { NewMessage } from '../../domain/delivery.js';
import type { IdempotencyKey } from '../../domain/idempotency.js';

export type IntakeResult =
  /** The usage includes the message. */
  | { outcome: 'accepted'; usage: CapUsage }
  /** The idempotency key belongs to an earlier message. */
  | { outcome: 'duplicate' }
  | { outcome: 'over_cap'; cap: ReachedCap };

export abstract class MessageIntake {
  /**
   * Counts the message under the caps and stores it, its content, its pending delivery and its idempotency key, all in
   * one transaction that has committed when this resolves. Only `accepted` counts and stores anything. Throws
   * `unavailable` if the account is gone.
   */
  abstract accept(message: NewMessage, keyLimit: number | null, idempotencyKey?: IdempotencyKey): Promise<IntakeResult>;
}
