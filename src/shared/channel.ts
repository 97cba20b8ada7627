/** How a message reaches its recipient, and so what kind of address that is. */
export const CHANNELS = ['email', 'sms'] as const;
export type Channel = (typeof CHANNELS)[number];
