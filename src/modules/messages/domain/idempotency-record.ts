/** What a request is recognised by when it comes again. */
export interface IdempotencyKey {
  /** The caller's own word for it, told apart by API key. */
  key: string;
  /** The same for the same request, and for no other. */
  fingerprint: string;
}

/** A request that has become a message. */
export interface IdempotencyRecord {
  fingerprint: string;
  messageId: string;
}
