/** Mails with a link to confirm a sender, per UTC day. */
export const VERIFICATION_MAILS_PER_DAY = {
  /** Of one account, to all addresses together. */
  account: 50,
  /** To one address, by all accounts of the installation together. */
  address: 10,
  /** Of one account to one address: an account cannot use up what others may need. */
  accountAndAddress: 5,
} as const;

/** Between two mails of one account to one address. */
export const MAIL_INTERVAL_SECONDS = 60;
