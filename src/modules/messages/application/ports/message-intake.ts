import type { CapUsage } from '../../domain/daily-caps.js';
import type { NewMessage } from '../../domain/delivery.js';

export abstract class MessageIntake {
  /**
   * Takes the message on: counts it under the caps and stores it, its content and its pending delivery, all in one
   * transaction that has ended when this resolves. The usage includes it. Throws the caps' error where there is no
   * room, and then has counted and stored nothing.
   */
  abstract accept(message: NewMessage, keyLimit: number | null): Promise<CapUsage>;
}
