import type { SmtpRelay } from './smtp-relay.js';

export const EMAIL_PROVIDERS = ['smtp', 'ses'] as const;
export type EmailProviderKind = (typeof EMAIL_PROVIDERS)[number];

/** Who counts opens and clicks: the service itself, the provider, or nobody. */
export const TRACKING = ['native', 'provider', 'off'] as const;
export type Tracking = (typeof TRACKING)[number];

export const SMTP_VENDORS = ['generic', 'sendgrid', 'mailgun', 'postmark', 'resend'] as const;
export type SmtpVendor = (typeof SMTP_VENDORS)[number];

/** How to reach Amazon's services for an account. */
export interface AwsAccess {
  region: string;
  /** Null for the credentials of the process itself. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
}

export interface SmtpProvider {
  kind: 'smtp';
  relay: SmtpRelay;
  /** Whether the relay comes from the account's settings or from `SMTP_URL`. */
  owner: 'account' | 'installation';
  vendor: SmtpVendor;
  /** Messages per second; null for no limit. */
  maxSendRate: number | null;
  tracking: Tracking;
  /** When the account's settings were last changed. */
  settingsAt: Date;
}

export interface SesProvider {
  kind: 'ses';
  access: AwsAccess;
  configurationSet: string | null;
  tracking: Tracking;
  /** When the account's settings were last changed. */
  settingsAt: Date;
}

/** The SMS provider of an account, with its secrets in clear. */
export interface SmsProvider {
  access: AwsAccess;
  /** Nothing can be sent while this is null. */
  originationNumber: string | null;
  senderId: string | null;
  /** Messages per second. */
  maxSendRate: number;
  /** When the account's settings were last changed. */
  settingsAt: Date;
}

/** The provider of a test account, which connects to nothing. */
export interface SimulatedProvider {
  kind: 'simulator';
  tracking: Tracking;
}

/** The email provider of an account, with its secrets in clear. */
export type AccountProvider = SmtpProvider | SesProvider | SimulatedProvider;
