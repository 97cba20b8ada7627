import type { EmailProviderKind, Tracking } from '../../../shared/account-provider.js';
import type { SesSettings, SmsSettings, SmtpSettings } from '../../../shared/account-settings.js';
import { NO_DAILY_CAP } from '../../../shared/daily-cap.js';
import { testAccountIdOf } from '../../../shared/test-account.js';

export const DEFAULT_DAILY_SEND_CAP = 1_000;
export const MAX_DAILY_SEND_CAP = 100_000_000;
/** In percent. */
export const DEFAULT_CAMPAIGN_CAP_SHARE = 90;
export const MAX_ACCOUNT_NAME_LENGTH = 100;

/** A tenant. Its data is invisible to other accounts. */
export class Account {
  id!: string;
  /** Of a test account: the account whose test keys use it. Its messages reach the simulator only. */
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
  createdAt!: Date;
  updatedAt!: Date;

  static open(id: string, name: string, now: Date): Account {
    return Object.assign(new Account(), {
      id,
      testOf: null,
      name,
      dailySendCap: DEFAULT_DAILY_SEND_CAP,
      campaignCapShare: DEFAULT_CAMPAIGN_CAP_SHARE,
      emailProvider: 'smtp',
      smtp: null,
      ses: null,
      sms: null,
      tracking: 'off',
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
