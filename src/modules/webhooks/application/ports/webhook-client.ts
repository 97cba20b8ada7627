export interface WebhookPost {
  url: string;
  /** Posts of different lanes do not wait for each other. */
  lane: string;
  /** Called when a connection is free. */
  headers: () => Record<string, string>;
  body: string;
  /** Called right before the request is written to the connection; if false, a LeaseEndedError is thrown instead. */
  isHeld?: () => boolean;
}

export interface WebhookReply {
  statusCode: number;
  retryAfter: string | null;
  /** At most 50 with 4 kB in total; credentials are redacted, also in URLs. */
  headers: Record<string, string>;
  /** The first kilobyte. */
  body: string;
}

/** There was no response; the message gives the reason and may be shown to the account. */
export class NoReplyError extends Error {
  override name = 'NoReplyError';
}

/** Posts to URLs that accounts choose, and therefore only to public addresses. */
export abstract class WebhookClient {
  /** What is wrong with the URL, as a phrase to follow its name; null if it may be posted to. */
  abstract faultOf(url: string): string | null;

  /** Follows no redirects. Takes at most 15 s from the call to the last byte. Throws a NoReplyError. */
  abstract post(request: WebhookPost): Promise<WebhookReply>;
}

/** The operator's brand, part of the names of headers. */
export abstract class Brand {
  abstract readonly name: string;
}
