import type { SmtpVendor } from '../../../../shared/account-provider.js';
import type { ProviderEvent } from '../../domain/provider-event.js';

/** A post as it was received: signatures cover its exact bytes. */
export interface VendorPost {
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** What was verified besides the signature. */
export interface Verification {
  /** If the signature does not cover the body: a token that is valid for one post only. */
  singleUseToken: string | null;
  /** The vendor's id of the report, the same when it is posted again, if it is not part of the body. */
  reportId?: string;
}

/** The sources of signed posts: the SMTP vendors, and forwarders of the SMS delivery receipts that Amazon SNS logs. */
export type EventVendorName = SmtpVendor | 'sns';

/** Verifies and parses the posts of one vendor. */
export abstract class EventVendor {
  /** Returns null unless the post is a recent one of the vendor. Throws invalid if the body cannot be read at all. */
  abstract verify(post: VendorPost, key: string, now: Date): Verification | null;

  /**
   * Throws invalid, possibly at the first event, if the body is not JSON of the vendor's format. Many events are read
   * one by one, so that the caller can yield to the event loop between them.
   */
  abstract parse(body: Buffer, verification?: Verification): Iterable<ProviderEvent>;
}

export abstract class EventVendors {
  abstract get(vendor: EventVendorName): EventVendor;
}
