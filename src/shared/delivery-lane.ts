import type { Channel } from './channel.js';

/** Messages of a lane wait for each other only. `bulk`: the e-mail of campaigns. */
export const DELIVERY_LANES = ['email', 'sms', 'bulk'] as const;
export type DeliveryLane = (typeof DELIVERY_LANES)[number];

export const channelOf = (lane: DeliveryLane): Channel => (lane === 'sms' ? 'sms' : 'email');

export const laneOf = ({ channel, campaignId }: { channel: Channel; campaignId: string | null }): DeliveryLane =>
  campaignId === null ? channel : 'bulk';
