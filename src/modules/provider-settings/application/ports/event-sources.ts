import type { SmtpVendor } from '../../../../shared/account-provider.js';

/** From where events about an account's messages are accepted, and the keys that verify them. */
export interface EventSource {
  /** The SNS topic to which SES publishes; null: events from SES are refused. */
  topicArn: string | null;
  vendor: SmtpVendor;
  /** The vendor's key, in clear; null: events from the vendor are refused. */
  signingKey: string | null;
  /** The SNS topic to which SMS replies are published; null: replies are refused. */
  smsTopicArn: string | null;
  /** The key of SMS delivery receipts, in clear; null: receipts are refused. */
  smsSigningKey: string | null;
}

export abstract class EventSources {
  /** Reads the current settings; null if there is no such account. Concurrent calls share one statement. */
  abstract find(accountId: string): Promise<EventSource | null>;
}
