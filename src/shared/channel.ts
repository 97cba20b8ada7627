/** How a message is sent. The recipient of an e-mail is an address, that of an SMS a phone number. */
export const CHANNELS = ['email', 'sms'] as const;
export type Channel = (typeof CHANNELS)[number];
