import type { StoredSettings } from '../../shared/account-settings.js';
import type { ProviderEvent } from '../events/provider-event.js';
import type { SmsReply } from '../events/sms-reply.js';

/** A post as it was received: signatures cover its exact bytes. */
export interface ProviderPost {
  /** The headers by lower-case name. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** The query of the address as it was sent, without the question mark. */
  query?: string;
}

/** The account to whose address a post was sent, and the time. */
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
      /** A token that is valid for one post only, if the signature does not cover the body. */
      singleUseToken: string | null;
    }
  | {
      kind: 'reply';
      provider: string;
      reply: SmsReply;
      /**
       * Whether it was sent to the number that the account sends from. The post may concern any number at the provider.
       */
      isToOwnNumber: boolean;
      /** The time by the clock of the provider; null if the post has none, so that it may be repeated at any time. */
      sentAt: Date | null;
    };

/** Verifies and reads the posts of a provider about messages of one channel. */
export interface ReadsReports {
  /**
   * Returns null for a post with nothing to store, such as the confirmation of a subscription. Throws `forbidden`
   * unless the provider has made the post recently for this account, `invalid` for a body that it never sends, and
   * `unavailable` if that cannot be verified now. Reading the events may throw `invalid`, too.
   */
  read(post: ProviderPost, context: PostContext): Promise<ProviderReport | null> | ProviderReport | null;
}

/** Which results of messages are reported. Results that are not are unknown, and never zero. */
export interface ReportedResults {
  deliveries: boolean;
  opens: boolean;
  clicks: boolean;
}

/** Provided if the provider reports the results of messages that it has accepted. */
export interface ReportsResults {
  /**
   * The results that are reported with these settings; opens and clicks only if the provider is asked to count them.
   * Opens no secrets.
   */
  resultsReportedBy(settings: StoredSettings): ReportedResults;
}
