import type { SmtpVendor } from '../../../../shared/account-provider.js';

/** From whom events about an account's messages are taken. */
export interface EventSource {
  /** Of the SNS topic that SES publishes to; null: none is taken from SES. */
  topicArn: string | null;
  vendor: SmtpVendor;
  /** In clear; null: none is taken from the vendor. */
  signingKey: string | null;
  /** Of the SNS topic that replies to SMS are published to; null: none is taken. */
  smsTopicArn: string | null;
  /** Of delivery receipts of SMS, in clear; null: none is taken. */
  smsSigningKey: string | null;
}

export abstract class EventSources {
  /** As the settings say now; null where there is no such account. Cheap for many callers at once. */
  abstract find(accountId: string): Promise<EventSource | null>;
}
