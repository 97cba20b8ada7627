/** What a request is recognised by when it comes again. */
export interface RequestMark {
  /** The caller's own word for it, told apart by API key. */
  key: string;
  /** The same for the same request, and for no other. */
  fingerprint: string;
}

/** A request that has become a message. */
export interface EarlierRequest {
  fingerprint: string;
  messageId: string;
}
