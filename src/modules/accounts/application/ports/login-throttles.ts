/** Whose failed logins are counted together. */
export interface LoginSubject {
  kind: 'address' | 'client' | 'device';
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

  /** Takes back one attempt. */
  abstract takeBack(subject: LoginSubject): Promise<void>;

  abstract clear(subject: LoginSubject): Promise<void>;

  abstract removeEnded(now: Date): Promise<void>;
}
