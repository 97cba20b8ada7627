/** Mails the link that verifies a sender. */
export abstract class VerificationMailer {
  /**
   * Through the account's relay, else the installation's, within 15 seconds. Throws a DomainError of the kind `provider`
   * where there is none or it did not take the mail; the mail may then have gone out all the same.
   */
  abstract mail(accountId: string, email: string, token: string): Promise<void>;
}
