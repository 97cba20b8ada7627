import type { EventType } from '../../../../shared/event-types.js';
import type { EventFilter, FeedEvent, FeedPosition } from '../../domain/event-feed.js';

export interface FeedSlice {
  items: FeedEvent[];
  /** Nothing that the filter selects is between the last item and this position. */
  end: FeedPosition;
  /** Whether there may be more at once: the slice ended because of its size. */
  isCut: boolean;
}

/** A summary of the events added to the feed of an account after a position. */
export interface FeedNews {
  types: ReadonlySet<EventType>;
  /** The keys that sent the messages; null for messages sent from the dashboard. */
  apiKeyIds: ReadonlySet<string | null>;
  end: FeedPosition;
  isCut: boolean;
}

/**
 * The events of each account in an order to which events are only appended: whatever is recorded later comes behind all
 * positions that were returned before.
 */
export abstract class EventFeed {
  /** The position of the newest event of the account. */
  abstract end(accountId: string): Promise<FeedPosition>;

  /** The next events behind a position; reads a bounded number of those that the filter does not select. */
  abstract read(accountId: string, filter: EventFilter, after: FeedPosition, limit: number): Promise<FeedSlice>;

  /** The news of each account after its position. Accounts with nothing new are missing. */
  abstract readNewsAcrossAccounts(after: ReadonlyMap<string, FeedPosition>): Promise<ReadonlyMap<string, FeedNews>>;
}
