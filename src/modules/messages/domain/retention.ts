import { DAY_MS, monthAfter } from '../../../shared/utc.js';

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

  /** Months that ended before this time are dropped; null if messages are kept for ever. */
  messagesExpireBefore(now: Date): Date | null {
    return this.messageMonths > 0 ? monthAfter(now, -this.messageMonths) : null;
  }
}
