import { DEFAULT_CAMPAIGN_CAP_PERCENT, DEFAULT_DAILY_SEND_CAP } from '../../../config/limits.js';
import { DEFAULT_EMAIL_PROVIDER, type EmailProviderKind, type Tracking } from '../../../shared/account-provider.js';
import type {
  ConsentRequirement,
  SesSettings,
  SmsSettings,
  SmtpSettings,
  TrackingConsent,
} from '../../../shared/account-settings.js';
import type { Branding } from '../../../shared/branding.js';
import { NO_DAILY_CAP } from '../../../shared/daily-cap.js';
import { testAccountIdOf } from '../../../shared/test-account.js';

/** The name and branding of an account that recipients see, and its tracking setting. */
export interface AccountProfile extends Branding {
  name: string;
  /** Whether opens and clicks are recorded only for recipients who have consented. */
  asksToTrack: boolean;
}

/** A tenant. Its data is invisible to other accounts. */
export class Account {
  id!: string;
  /** Set for test accounts, whose messages reach the simulator only: the account whose test keys use it. */
  testOf!: string | null;
  name!: string;
  /** Messages per UTC calendar day, over all channels and keys. */
  dailySendCap!: number;
  /** Campaigns send only while less than this share of the daily cap, in percent, is used. */
  campaignCapShare!: number;
  emailProvider!: EmailProviderKind;
  smtp!: SmtpSettings | null;
  ses!: SesSettings | null;
  sms!: SmsSettings | null;
  tracking!: Tracking;
  /** Whether opens and clicks are recorded only for recipients who have consented. */
  trackingConsent!: TrackingConsent;
  /** The kind of messages that require the recipient's consent. */
  consentRequiredFor!: ConsentRequirement;
  /** A URL that `isLogoUrl` accepts. */
  logoUrl!: string | null;
  /** `#rrggbb`. */
  brandColor!: string | null;
  createdAt!: Date;
  updatedAt!: Date;

  static open(id: string, name: string, now: Date): Account {
    return Object.assign(new Account(), {
      id,
      testOf: null,
      name,
      dailySendCap: DEFAULT_DAILY_SEND_CAP,
      campaignCapShare: DEFAULT_CAMPAIGN_CAP_PERCENT,
      emailProvider: DEFAULT_EMAIL_PROVIDER,
      smtp: null,
      ses: null,
      sms: null,
      tracking: 'off',
      trackingConsent: 'not_required',
      consentRequiredFor: 'none',
      logoUrl: null,
      brandColor: null,
      createdAt: now,
      updatedAt: now,
    } satisfies Account);
  }

  /** The account of the messages, contacts and suppressions of the test keys of `accountId`. */
  static openTest(accountId: string, name: string, now: Date): Account {
    return Object.assign(Account.open(testAccountIdOf(accountId), name, now), {
      testOf: accountId,
      dailySendCap: NO_DAILY_CAP,
    });
  }
}
