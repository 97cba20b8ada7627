import type { DeliveryLane } from '../../../../shared/channel.js';
import type { PendingDelivery } from '../../domain/delivery.js';
import type { MessageStatus } from '../../domain/message-log.js';

/** Messages of an account or, if a key is given, those that the key has sent. */
export interface OwnMessages {
  accountId: string;
  apiKeyId: string | null;
}

/** Pending deliveries that no worker holds. Each call is decided against claims by the lock of the row. */
export abstract class ScheduledDeliveries {
  /**
   * Makes scheduled messages claimable when their time has come by the clock of the database, and returns them to be
   * enqueued. A limited number of messages of one account wait in the queue at a time; concurrent calls do not return
   * the same.
   */
  abstract releaseDueAcrossAccounts(): Promise<PendingDelivery[]>;

  /** Cancels those of the messages that are queued, for good, and returns their ids. */
  abstract cancel(owner: OwnMessages, ids: readonly string[]): Promise<string[]>;

  /** Gives a queued message another time; null: at once. Returns its lane, or null if it is not queued. */
  abstract reschedule(owner: OwnMessages, id: string, at: Date | null): Promise<DeliveryLane | null>;

  /** The statuses by message id; messages that do not exist are missing. */
  abstract statuses(owner: OwnMessages, ids: readonly string[]): Promise<Map<string, MessageStatus>>;
}
