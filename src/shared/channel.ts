/** The channel of a message. The recipient of an e-mail is an address, that of an SMS a phone number. */
export const CHANNELS = ['email', 'sms'] as const;
export type Channel = (typeof CHANNELS)[number];

/** GSM 7-bit (GSM 03.38), or UCS-2 with two bytes per character. */
export const SMS_ENCODINGS = ['gsm7', 'ucs2'] as const;
export type SmsEncoding = (typeof SMS_ENCODINGS)[number];

/** Messages wait only for others of their lane. `bulk`: the e-mail of campaigns; `bulk_sms`: SMS with a topic. */
export const DELIVERY_LANES = ['email', 'sms', 'bulk', 'bulk_sms'] as const;
export type DeliveryLane = (typeof DELIVERY_LANES)[number];

export const channelOf = (lane: DeliveryLane): Channel => (lane === 'sms' || lane === 'bulk_sms' ? 'sms' : 'email');

/** Whether other messages of the channel overtake those of the lane. */
export const isBulk = (lane: DeliveryLane): boolean => lane === 'bulk' || lane === 'bulk_sms';

interface LaneCriteria {
  channel: Channel;
  campaignId: string | null;
  topicId: string | null;
}

export function laneOf({ channel, campaignId, topicId }: LaneCriteria): DeliveryLane {
  if (campaignId !== null) return 'bulk';
  return channel === 'sms' && topicId !== null ? 'bulk_sms' : channel;
}
