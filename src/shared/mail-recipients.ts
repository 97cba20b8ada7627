export const MESSAGE_ROLES = ['to', 'cc', 'bcc'] as const;
export type MessageRole = (typeof MESSAGE_ROLES)[number];

/** An address as To or Cc show it. */
export interface VisibleRecipient {
  email: string;
  /** Empty if there is none. */
  name: string;
}

/** What all messages of a group show as To and Cc, and beside the address in Reply-To. */
export interface VisibleRecipients {
  to: readonly VisibleRecipient[];
  cc: readonly VisibleRecipient[];
  /** The display name in Reply-To, if it has one. */
  replyToName?: string;
}
