import { type FeedEvent, writeFeedCursor } from '../domain/event-feed.js';
import type { FeedPage } from '../application/follow-events.service.js';
import { EmailEventResponse, type HiddenHosts } from './message.response.js';

export class FeedEventResponse extends EmailEventResponse {
  /**
   * The `after` with which to continue behind this event.
   * @example "NzM0MDEyNS5jMG1rM3Y5cDB4N2YyazlkMXE4ejV3NGFi"
   */
  cursor!: string;

  static fromFeed(event: FeedEvent, hidden: HiddenHosts): FeedEventResponse {
    return { ...EmailEventResponse.from(event, hidden), cursor: writeFeedCursor(event.position) };
  }
}

export class EventFeedResponse {
  /** In the order of the feed. May be empty although more follow at once. */
  items!: FeedEventResponse[];

  /**
   * The `after` of the next request; never null, because the feed has no end.
   * @example "NzM0MDEyNS5jMG1rM3Y5cDB4N2YyazlkMXE4ejV3NGFi"
   */
  nextCursor!: string;

  static from({ items, end }: FeedPage, hidden: HiddenHosts): EventFeedResponse {
    return { items: items.map((event) => FeedEventResponse.fromFeed(event, hidden)), nextCursor: writeFeedCursor(end) };
  }
}
