import type { CapUsage } from '../../domain/daily-caps.js';
import type { NewMessage } from '../../domain/delivery.js';
import type { IdempotencyKey } from '../../domain/idempotency-record.js';

export abstract class MessageIntake {
  /**
   * Takes the message on: counts it under the caps and stores it, its content and its pending delivery, all in one
   * transaction that has ended when this resolves. The usage includes it. Throws the caps' error where there is no
   * room, and then has counted and stored nothing. With a mark that stands for a message already it throws, too, and
   has counted and stored nothing; otherwise the mark stands for this message from then on.
   */
  abstract accept(message: NewMessage, keyLimit: number | null, mark?: IdempotencyKey): Promise<CapUsage>;
}
