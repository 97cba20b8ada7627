export interface WebhookPost {
  url: string;
  /** Posts of different lanes do not wait for each other. */
  lane: string;
  /** Called when a connection is free, so that a signature is not older than the post. */
  headers: () => Record<string, string>;
  body: string;
  /** Called right before the request is written to the connection; if false, a LeaseEndedError is thrown instead. */
  isHeld?: () => boolean;
  /** Measured from the call to the last byte of the response, including the wait in the lane; 15 s by default. */
  timeoutMs?: number;
}

export interface WebhookReply {
  statusCode: number;
  /** The unparsed header. */
  retryAfter: string | null;
  /** At most 50 with 4 kB in total; credentials are redacted, also in URLs. */
  headers: Record<string, string>;
  /** The first kilobyte. */
  body: string;
}

/** Posts to URLs that accounts choose, and therefore only to public addresses. */
export abstract class WebhookClient {
  /** The fault of the URL, as a phrase to follow its name; null if it may be posted to. */
  abstract faultOf(url: string): string | null;

  /**
   * Resolves to the response, whatever its status. Follows no redirects. Throws an HttpFailure if none is complete in
   * time.
   */
  abstract post(request: WebhookPost): Promise<WebhookReply>;
}

/** The operator's brand, part of the names of headers. */
export abstract class Brand {
  abstract readonly name: string;
}
