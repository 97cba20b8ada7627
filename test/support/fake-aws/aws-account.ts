import { AwsError } from './aws-error.js';
import { Identities } from './identities.js';
import { SmsAccount } from './sms-account.js';

const WINDOW_MS = 1_000;
/** How far above the rate a burst may go. */
const BURST = 0.1;

/** What one access key stands for. Set freely, also between two requests; a new account is out of both sandboxes. */
export class AwsAccount {
  /** Lets only verified identities send, and only to verified identities or the mailbox simulator. */
  sandbox = false;
  /** Outside the sandbox too lets only verified identities send, as AWS always does. */
  verifiedSendersOnly = false;
  paused = false;
  suspended = false;
  /** Recipients a second. */
  maxSendRate = 1_000;
  dailyQuota = 1_000_000;
  sentLast24Hours = 0;

  readonly identities = new Identities();
  /** Names, each with the event destinations that were created for it. */
  readonly configurationSets = new Map<string, unknown[]>();
  readonly sms = new SmsAccount();

  private readonly recent: number[] = [];

  requireSending(): void {
    if (this.suspended) {
      throw new AwsError(400, 'AccountSuspendedException', 'This account can no longer send messages.');
    }
    if (this.paused) throw new AwsError(400, 'SendingPausedException', 'Sending is paused for this account.');
  }

  /** Counts the message in, or refuses it whole: then it counts for nothing. */
  takeFromLimits(recipients: number, now: number): void {
    while (this.recent[0] !== undefined && this.recent[0] <= now - WINDOW_MS) this.recent.shift();
    if (this.recent.length >= Math.floor(this.maxSendRate * (1 + BURST))) {
      throw new AwsError(429, 'TooManyRequestsException', 'Maximum sending rate exceeded.');
    }
    if (this.sentLast24Hours + recipients > this.dailyQuota) {
      throw new AwsError(400, 'LimitExceededException', 'Daily message quota exceeded');
    }
    for (let count = 0; count < recipients; count++) this.recent.push(now);
    this.sentLast24Hours += recipients;
  }
}
