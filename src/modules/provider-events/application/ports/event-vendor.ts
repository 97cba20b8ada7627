import type { IncomingHttpHeaders } from 'node:http';

import type { SmtpVendor } from '../../../../shared/account-provider.js';
import type { ProviderEvent } from '../../domain/provider-event.js';

/** What a post was proven with. */
export interface Proof {
  /** Where the proof does not cover the body: a token that stands for one post. */
  onceToken: string | null;
  /** What the vendor knows the post by, the same when it is repeated; where that stands outside of the body. */
  reportId?: string;
}

/** Whose signed posts are taken: the SMTP vendors, and forwarders of the delivery receipts that Amazon SNS logs. */
export type EventVendorName = SmtpVendor | 'sns';

/** How one of them proves its posts and words its events. */
export abstract class EventVendor {
  /** Null for a post that is not proven to come from the vendor now. Throws invalid where it cannot be read at all. */
  abstract verify(headers: IncomingHttpHeaders, raw: Buffer, key: string, now: Date): Proof | null;

  /** Throws invalid for what is not JSON of the vendor's form. */
  abstract parse(raw: Buffer, proof?: Proof): ProviderEvent[];
}

export abstract class EventVendors {
  abstract get(vendor: EventVendorName): EventVendor;
}
