import type { SmtpVendor } from './account-provider.js';

/** An account's SMTP relay, as stored. */
export interface SmtpSettings {
  host: string;
  port: number;
  /** TLS from the first byte (usually port 465) instead of STARTTLS where the relay offers it. */
  secure: boolean;
  username: string | null;
  /** Sealed by the SecretBox. */
  sealedPassword: string | null;
  /** Whether the password may be sent without TLS, other than over loopback. Absent in settings of earlier versions. */
  allowPlaintext?: boolean;
  /** Decides which vendor headers messages carry and how the vendor's events are verified. */
  vendor: SmtpVendor;
  /** Verifies the vendor's events; sealed by the SecretBox. */
  sealedEventSigningKey: string | null;
  /** Messages per second; null: unlimited. */
  maxSendRate: number | null;
}

/** An account's access to Amazon SES, as stored. */
export interface SesSettings {
  region: string;
  configurationSet: string | null;
  /** The SNS topic to which SES publishes the account's events. */
  topicArn: string | null;
  /** Null: the credentials of the process. */
  accessKeyId: string | null;
  /** Sealed by the SecretBox. */
  sealedSecretAccessKey: string | null;
}

/** How an account sends SMS through Amazon SNS, as stored. */
export interface SmsSettings {
  enabled: boolean;
  region: string;
  /** The number that messages come from: in E.164, or a short code. */
  originationNumber: string | null;
  /** Shown instead of the number in countries that allow it. */
  senderId: string | null;
  /** Whether replies to the number are published to the topic. */
  twoWay: boolean;
  /** The SNS topic to which replies are published. */
  topicArn: string | null;
  /** Messages per second. */
  maxSendRate: number;
  /** Verifies forwarded delivery receipts; sealed by the SecretBox. */
  sealedEventSigningKey: string | null;
}
