/** What the SMS provider says of an account. */
export interface SmsAccountStatus {
  /** In the sandbox only verified numbers receive. */
  sandbox: boolean;
  /** In E.164. */
  verifiedNumbers: string[];
  /** Those that the account may send from. */
  originationNumbers: string[];
  checkedAt: Date;
}
