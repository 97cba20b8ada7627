import type { SmtpVendor, Tracking } from './account-provider.js';
import type { QuietHours } from './quiet-hours.js';

/** The messages that need a consent in force. */
export const CONSENT_REQUIREMENTS = ['none', 'campaigns'] as const;
export type ConsentRequirement = (typeof CONSENT_REQUIREMENTS)[number];

/** Whether opens and clicks are recorded only of recipients whose consent to it is in force. */
export const TRACKING_CONSENTS = ['not_required', 'required'] as const;
export type TrackingConsent = (typeof TRACKING_CONSENTS)[number];

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
  /** Null for the credentials of the process. */
  accessKeyId: string | null;
  /** Sealed by the SecretBox. */
  sealedSecretAccessKey: string | null;
}

/** An account's settings for SMS, as stored. The fields of a single provider stand beside these. */
export interface SmsSettings {
  /** The name of the provider; absent: the default. */
  provider?: string;
  enabled: boolean;
  /** The number that messages come from: in E.164, or a short code. */
  originationNumber: string | null;
  /** Whether the account wants the replies to the number. */
  twoWay: boolean;
  /** Messages per second. */
  maxSendRate: number;
  /** Words that stop messages besides those that all accounts have. Absent in settings of earlier versions. */
  stopWords?: readonly string[];
  /** The hours in which messages with a topic wait. Absent in settings of earlier versions. */
  quietHours?: QuietHours | null;
}

/** The settings of an account for its providers, as stored. */
export interface StoredSettings {
  /** The name of the provider of its email. */
  emailProvider: string;
  smtp: SmtpSettings | null;
  ses: SesSettings | null;
  sms: SmsSettings | null;
  tracking: Tracking;
  trackingConsent: TrackingConsent;
  /** When the settings were last changed. */
  updatedAt: Date;
}

/**
 * The tracking in effect. A provider does not know the consents, and would continue after a withdrawal: where consent
 * is required, only the service itself may track.
 */
export const trackingOf = ({
  tracking,
  trackingConsent,
}: Pick<StoredSettings, 'tracking' | 'trackingConsent'>): Tracking =>
  trackingConsent === 'required' && tracking === 'provider' ? 'off' : tracking;
