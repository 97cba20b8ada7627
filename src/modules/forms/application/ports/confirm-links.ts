export interface ConfirmTarget {
  accountId: string;
  signupId: string;
}

/** The links in confirmation mails. They contain the sign-up and cannot be read or forged by others. */
export abstract class ConfirmLinks {
  abstract linkTo(target: ConfirmTarget): string;

  /** Null for a token that this service did not create, or that was altered in any character. */
  abstract read(token: string): ConfirmTarget | null;
}
