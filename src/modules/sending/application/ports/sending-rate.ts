import type { Channel, DeliveryLane } from '../../../../shared/channel.js';

/** Limits how fast an account's messages are submitted on a channel, over all workers. */
export abstract class SendingRate {
  /**
   * Resolves to true when one more message may be submitted, at once where there is no limit; to false, early, once
   * `stopping` is aborted. A lane of bulk messages gets a permit only if no other message of the channel waits for one,
   * but at least every twentieth, and begins a few messages at a time while others are being delivered.
   */
  abstract waitForPermit(accountId: string, lane: DeliveryLane, stopping: AbortSignal): Promise<boolean>;

  /** To be called when the provider throttles: no worker gets a permit for the next second. */
  abstract slowDown(accountId: string, channel: Channel): Promise<void>;
}
