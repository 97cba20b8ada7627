export const MESSAGE_ROLES = ['to', 'cc', 'bcc'] as const;
export type MessageRole = (typeof MESSAGE_ROLES)[number];

/** An address as To or Cc shows it. */
export interface VisibleRecipient {
  email: string;
  /** Empty if there is no name. */
  name: string;
}

/** The To and Cc that all messages of a group show, and the display name of their Reply-To. */
export interface VisibleRecipients {
  to: readonly VisibleRecipient[];
  cc: readonly VisibleRecipient[];
  /** The display name in Reply-To, if there is one. */
  replyToName?: string;
}
