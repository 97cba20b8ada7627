/** The recipient of a message, which need not be stored any more. */
export interface UnsubscribeTarget {
  accountId: string;
  messageId: string;
  /** Normalised. */
  email: string;
  /** The topic of the message, which need not exist any more; null if it has none. */
  topicId: string | null;
}

/** The unsubscribe links in messages. They contain the target, cannot be read or forged by others, and never expire. */
export abstract class UnsubscribeLinks {
  abstract linkTo(target: UnsubscribeTarget): string;

  /** Null for a token that this service did not create, or that was altered in any character. */
  abstract read(token: string): UnsubscribeTarget | null;
}
