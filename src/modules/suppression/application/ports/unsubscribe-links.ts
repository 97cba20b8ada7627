/** Whom a link unsubscribes from what: the recipient of a message, whether or not that is still kept. */
export interface UnsubscribeTarget {
  accountId: string;
  messageId: string;
  /** As compared. */
  email: string;
}

/** The hosted unsubscribe links in messages. They hold all that is needed, cannot be read or made by others, and never expire. */
export abstract class UnsubscribeLinks {
  abstract linkTo(target: UnsubscribeTarget): string;

  /** Null for a token that is not ours or was altered in any character. */
  abstract read(token: string): UnsubscribeTarget | null;
}
