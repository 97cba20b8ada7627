import type { SmtpVendor } from './account-provider.js';

export interface SmtpSettings {
  host: string;
  port: number;
  /** TLS from the first byte (usually port 465) instead of STARTTLS where the relay offers it. */
  secure: boolean;
  username: string | null;
  /** Sealed by the SecretBox. */
  sealedPassword: string | null;
  /**
   * Whether the password may be sent without TLS, other than over loopback. Settings of an earlier version have none.
   */
  allowPlaintext?: boolean;
  /** Whose headers the mails carry, and whose events are taken. */
  vendor: SmtpVendor;
  /** Proves the vendor's events; sealed by the SecretBox. */
  sealedEventSigningKey: string | null;
  /** Messages per second; null: as many as the relay takes. */
  maxSendRate: number | null;
}

export interface SesSettings {
  region: string;
  configurationSet: string | null;
  /** Of the SNS topic that SES publishes the account's events to. */
  topicArn: string | null;
  /** Null: the credentials of the process itself. */
  accessKeyId: string | null;
  /** Sealed by the SecretBox. */
  sealedSecretAccessKey: string | null;
}

export interface SmsSettings {
  enabled: boolean;
  region: string;
  /** What messages come from: in E.164, or a short code. */
  originationNumber: string | null;
  /** Shown instead of the number in countries that allow it. */
  senderId: string | null;
  /** Whether replies to the number are published to the topic. */
  twoWay: boolean;
  /** Of the SNS topic that replies are published to. */
  topicArn: string | null;
  /** Messages per second. */
  maxSendRate: number;
  /** Proves forwarded delivery receipts; sealed by the SecretBox. */
  sealedEventSigningKey: string | null;
}
