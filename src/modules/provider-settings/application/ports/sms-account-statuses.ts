import type { SmsAccountStatus } from '../../domain/sms-account-status.js';

/** What the SMS provider said last of each account. */
export abstract class SmsAccountStatuses {
  /** Null where it was not asked since the region or the access key that it was asked with were changed. */
  abstract find(accountId: string): Promise<SmsAccountStatus | null>;

  /** Not if the account's settings were changed after `settingsAt`: then another AWS account may be meant. */
  abstract record(accountId: string, standing: SmsAccountStatus, settingsAt: Date): Promise<void>;

  abstract forget(accountId: string): Promise<void>;
}
