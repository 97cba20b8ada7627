/** Whose failed logins are counted together. */
export interface LoginSubject {
  kind: 'address' | 'client' | 'device' | 'password';
  value: string;
}

/** Login attempts that have not succeeded, whether a user has the address or not. */
export abstract class LoginThrottles {
  /**
   * Counts one more attempt in the subject's running window, or opens one that ends at `newWindowEndsAt`. Each of any
   * number of concurrent calls, in all processes, gets a number of its own.
   */
  abstract count(
    subject: LoginSubject,
    now: Date,
    newWindowEndsAt: Date,
  ): Promise<{ attempts: number; windowEndsAt: Date }>;

  /**
   * Takes back one attempt of the window that ends then: it succeeded. The others stay, because an address may be a user of
   * several accounts: who knows the password of one must not gain guesses at that of another.
   */
  abstract takeBack(subject: LoginSubject, windowEndsAt: Date): Promise<void>;

  abstract clear(subject: LoginSubject): Promise<void>;

  abstract removeEnded(now: Date): Promise<void>;
}
