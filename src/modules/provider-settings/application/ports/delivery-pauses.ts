import type { Channel } from '../../../../shared/channel.js';

export interface DeliveryPause {
  /** What the provider said. */
  reason: string;
  since: Date;
  until: Date;
}

/** Accounts of which nothing is handed over on a channel for a while, because its provider refuses everything. */
export abstract class DeliveryPauses {
  /** Null where none is in force. */
  abstract find(accountId: string, channel: Channel): Promise<DeliveryPause | null>;

  /**
   * Begins a pause, or prolongs the one in force and gives it this reason; not if the account's settings were changed
   * after `settingsAt`, because what the provider refused was then already mended.
   */
  abstract begin(
    accountId: string,
    channel: Channel,
    pause: { reason: string; until: Date; settingsAt: Date },
  ): Promise<void>;

  abstract end(accountId: string, channel: Channel): Promise<void>;
}
