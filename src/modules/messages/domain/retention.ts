import { MAX_SCHEDULED_DAYS, TEST_CONTENT_DAYS } from '../../../config/limits.js';
import { DAY_MS, monthAfter } from '../../../shared/utc.js';

/** Contents of scheduled messages stay until they are delivered. */
const MAX_TEST_CONTENT_DAYS = TEST_CONTENT_DAYS + MAX_SCHEDULED_DAYS + 1;

/** How long messages and their contents are kept. A period of 0 means for ever. */
export class Retention {
  constructor(
    private readonly contentDays: number,
    /** Whole months before the current one. */
    private readonly messageMonths: number,
  ) {}

  /** Contents of messages accepted before this time are purged; null if contents are kept for ever. */
  contentsExpireBefore(now: Date): Date | null {
    return this.contentDays > 0 ? new Date(now.getTime() - this.contentDays * DAY_MS) : null;
  }

  /** Contents of test messages that were accepted in this time are purged, however long others are kept. */
  testContentsExpireBetween(now: Date): { from: Date; to: Date } {
    const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
    const from = this.contentDays > 0 ? Math.min(this.contentDays, MAX_TEST_CONTENT_DAYS) : MAX_TEST_CONTENT_DAYS;
    return { from: daysAgo(from), to: daysAgo(Math.min(from, TEST_CONTENT_DAYS)) };
  }

  /** Months that ended before this time are dropped; null if messages are kept for ever. */
  messagesExpireBefore(now: Date): Date | null {
    return this.messageMonths > 0 ? monthAfter(now, -this.messageMonths) : null;
  }
}
