import type { Channel } from '../../../../shared/channel.js';

export interface DeliveryPause {
  /** The provider's error. */
  reason: string;
  since: Date;
  until: Date;
}

/** Pauses of an account's deliveries on a channel, because its provider refuses every message. */
export abstract class DeliveryPauses {
  /** Null if deliveries are not paused. */
  abstract find(accountId: string, channel: Channel): Promise<DeliveryPause | null>;

  /**
   * Starts a pause, or extends the current one and replaces its reason. Does nothing if the account's settings were
   * changed after `settingsAt`, because the change may have removed the cause.
   */
  abstract begin(
    accountId: string,
    channel: Channel,
    pause: { reason: string; until: Date; settingsAt: Date },
  ): Promise<void>;

  abstract end(accountId: string, channel: Channel): Promise<void>;
}
