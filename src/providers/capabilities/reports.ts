import type { StoredSettings } from '../../shared/account-settings.js';
import type { ProviderEvent } from '../events/provider-event.js';
import type { SmsReply } from '../events/sms-reply.js';

/** A post as it was received: signatures cover its exact bytes. */
export interface ProviderPost {
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** That of the address as it was sent, without the question mark. */
  query?: string;
}

/** To whose address a post was sent, and when. */
export interface PostContext {
  accountId: string;
  settings: StoredSettings;
  now: Date;
}

export type ProviderReport =
  | {
      kind: 'events';
      /** The name of the provider in events and their ids. */
      provider: string;
      /** Many events are read one by one, so that the caller can yield to the event loop between them. */
      events: Iterable<ProviderEvent>;
      /** If the signature does not cover the body: a token that is valid for one post only. */
      singleUseToken: string | null;
    }
  | {
      kind: 'reply';
      provider: string;
      reply: SmsReply;
      /** Whether it was sent to the number that the account sends from: the post may be about all of its provider. */
      isToOwnNumber: boolean;
      /** By the clock of the provider; null if the post has no time, so that a repetition may come at any time. */
      sentAt: Date | null;
    };

/** Verifies and reads the posts of a provider about messages of one channel. */
export interface ReadsReports {
  /**
   * Null for a post with nothing to store, such as the confirmation of a subscription. Throws `forbidden` unless the
   * provider has made the post recently for this account, `invalid` for a body that it never makes, and `unavailable`
   * if that cannot be found out now. Reading the events may throw `invalid`, too.
   */
  read(post: ProviderPost, context: PostContext): Promise<ProviderReport | null> | ProviderReport | null;
}

/** Which results of messages are reported. Results that are not are unknown, and never zero. */
export interface ReportedResults {
  deliveries: boolean;
  opens: boolean;
  clicks: boolean;
}

/** For providers that report what became of a message after they have taken it. */
export interface ReportsResults {
  /** By the settings. Opens and clicks: if the provider is asked to count them. Opens no secrets. */
  resultsReportedBy(settings: StoredSettings): ReportedResults;
}
