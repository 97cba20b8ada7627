import type { IdempotencyKey } from '../../domain/idempotency.js';
import type { NewGroup } from '../../domain/message-group.js';
import type { IntakeResult } from './message-intake.js';

export abstract class GroupIntake {
  /**
   * Counts all messages of the group under the caps and stores them, with contents, attachments, tags, pending
   * deliveries and the idempotency key, in one transaction that has committed when this resolves. A group is accepted
   * as a whole or not at all: only `accepted` counts and stores anything. Throws `unavailable` if the account is gone.
   */
  abstract accept(group: NewGroup, keyLimit: number | null, idempotencyKey?: IdempotencyKey): Promise<IntakeResult>;
}
