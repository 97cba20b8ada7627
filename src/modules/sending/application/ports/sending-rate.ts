import type { Channel } from '../../../../shared/channel.js';

/** How fast an account's messages may be handed over on a channel, all workers together. */
export abstract class SendingRate {
  /**
   * Resolves when it is their turn for one more message: true; false, early, once `stopping` is aborted. At once
   * where there is no limit.
   */
  abstract takeTurn(accountId: string, channel: Channel, stopping: AbortSignal): Promise<boolean>;

  /** The provider refused a message for the speed: for a second no further turns are given, in any worker. */
  abstract slowDown(accountId: string, channel: Channel): Promise<void>;
}
