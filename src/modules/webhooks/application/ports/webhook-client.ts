export interface WebhookPost {
  url: string;
  /** Posts of other lanes hold it up in nothing. */
  lane: string;
  /** Called when its turn has come. */
  headers: () => Record<string, string>;
  body: string;
  /** Called right before the request is written to the connection; if false, a LeaseEndedError is thrown instead. */
  isHeld?: () => boolean;
}

export interface WebhookReply {
  statusCode: number;
  retryAfter: string | null;
  /** The first kilobyte. */
  body: string;
}

/** There was no answer; the message says why and may be shown to the account. */
export class NoReplyError extends Error {
  override name = 'NoReplyError';
}

/** Posts to addresses that accounts choose, and so keeps away from those that are not public. */
export abstract class WebhookClient {
  /** What is wrong with the URL, as the end of a sentence that begins with its name; null where it may be posted to. */
  abstract faultOf(url: string): string | null;

  /** Never follows redirects and takes 15 s at most, from the call to the last byte. Throws a NoReplyError. */
  abstract post(request: WebhookPost): Promise<WebhookReply>;
}
