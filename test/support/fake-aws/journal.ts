export interface SentEmail {
  messageId: string;
  accessKeyId: string;
  region: string;
  from: string;
  to: string[];
  configurationSetName: string | undefined;
  tags: Record<string, string>;
  /** The mail as it was submitted. */
  raw: string;
  /** On the clock of `performance.now()`. */
  receivedAt: number;
}

export interface PublishedSms {
  messageId: string;
  accessKeyId: string;
  region: string;
  phoneNumber: string;
  message: string;
  /** By name, `AWS.SNS.SMS.SMSType` and so on. */
  attributes: Record<string, string>;
  receivedAt: number;
}

/** Begun by posting a SubscriptionConfirmation. */
export interface Subscription {
  token: string;
  topicArn: string;
  subscriptionArn: string;
  confirmed: boolean;
}

/** What came in, across all accounts, oldest first. */
export class Journal {
  readonly sent: SentEmail[] = [];
  readonly published: PublishedSms[] = [];
  readonly subscriptions: Subscription[] = [];
}
