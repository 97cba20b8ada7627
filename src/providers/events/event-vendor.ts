import { DomainError } from '../../shared/domain-error.js';
import type { ProviderPost, ProviderReport } from '../capabilities/reports.js';
import type { ProviderEvent } from './provider-event.js';

/** Verified fields that identify a post or its report. */
export interface Verification {
  /** A token that is valid for one post only, if the signature does not cover the body. */
  singleUseToken: string | null;
  /** The vendor's id of the report, the same when it is posted again, if it is not part of the body. */
  reportId?: string;
}

/** Verifies and parses posts that are signed with a key which the account shares with the provider. */
export abstract class EventVendor {
  /** Returns null unless the post is a recent one of the vendor. Throws invalid if the body cannot be read at all. */
  abstract verify(post: ProviderPost, key: string, now: Date): Verification | null;

  /**
   * Throws invalid, possibly at the first event, if the body is not JSON of the vendor's format. Many events are read
   * one by one, so that the caller can yield to the event loop between them.
   */
  abstract parse(body: Buffer, verification?: Verification): Iterable<ProviderEvent>;
}

/** Throws `forbidden` without a vendor, without a key, and unless the vendor has signed the post with it. */
export function readSigned(
  provider: string,
  vendor: EventVendor | undefined,
  key: string | null,
  post: ProviderPost,
  now: Date,
): ProviderReport {
  const verification = key === null ? null : vendor?.verify(post, key, now);
  if (!vendor || !verification) throw new DomainError('forbidden', 'forbidden', 'The signature is not valid');
  const { singleUseToken } = verification;
  return { kind: 'events', provider, events: vendor.parse(post.body, verification), singleUseToken };
}
