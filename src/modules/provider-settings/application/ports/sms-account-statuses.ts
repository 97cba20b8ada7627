/** The state of an account's AWS account, as read from the SMS provider. */
export interface SmsAccountStatus {
  /** In the sandbox, only verified numbers can receive messages. */
  sandbox: boolean;
  /** In E.164. */
  verifiedNumbers: string[];
  /** The numbers from which the AWS account may send. */
  originationNumbers: string[];
  checkedAt: Date;
}

/** The latest status of each account's AWS account. */
export abstract class SmsAccountStatuses {
  /** Null if it has not been read since the account's region or access key changed. */
  abstract find(accountId: string): Promise<SmsAccountStatus | null>;

  /** Does nothing if the account's settings were changed after `settingsAt`: they may name another AWS account. */
  abstract record(accountId: string, status: SmsAccountStatus, settingsAt: Date): Promise<void>;

  abstract remove(accountId: string): Promise<void>;
}
