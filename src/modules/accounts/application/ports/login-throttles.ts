/** What failed logins are counted by. */
export interface LoginSubject {
  kind: 'address' | 'client' | 'device' | 'password';
  value: string;
}

/** Login attempts that have not succeeded, whether a user has the address or not. */
export abstract class LoginThrottles {
  /**
   * Counts one more attempt in the subject's current window, or opens a window that ends at `newWindowEndsAt`. Exact
   * under concurrency, across all processes.
   */
  abstract count(
    subject: LoginSubject,
    now: Date,
    newWindowEndsAt: Date,
  ): Promise<{ attempts: number; windowEndsAt: Date }>;

  /**
   * Uncounts one attempt of the window that ends at that time, because it succeeded. The others stay: an email may
   * belong to users of several accounts, and the password of one must not give more attempts at that of another.
   */
  abstract takeBack(subject: LoginSubject, windowEndsAt: Date): Promise<void>;

  abstract clear(subject: LoginSubject): Promise<void>;

  abstract removeEnded(now: Date): Promise<void>;
}
