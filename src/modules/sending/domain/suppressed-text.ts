import type { Channel } from '../../../shared/channel.js';

/** Why nothing is sent to a recipient on the suppression list. */
export const suppressedText = (channel: Channel, recipient: string): string =>
  channel === 'sms' ? `${recipient} has opted out of SMS` : `${recipient} is suppressed`;
