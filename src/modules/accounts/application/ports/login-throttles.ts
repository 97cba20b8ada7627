/** What failed logins are counted for. `smtp` is the network of a client that submits mail. */
export interface LoginSubject {
  kind: 'address' | 'client' | 'device' | 'password' | 'smtp';
  value: string;
}

/** Counts of login attempts that have not succeeded, whether or not a user has the email. */
export abstract class LoginThrottles {
  /**
   * Counts one more attempt in the subject's current window, or starts a window that ends at `newWindowEndsAt`. Exact
   * under concurrency across all processes.
   */
  abstract count(
    subject: LoginSubject,
    now: Date,
    newWindowEndsAt: Date,
  ): Promise<{ attempts: number; windowEndsAt: Date }>;

  /**
   * Uncounts one attempt in the window that ends at that time. The others stay counted: an email may belong to users of
   * several accounts, and the password of one must not give more attempts at that of another.
   */
  abstract uncount(subject: LoginSubject, windowEndsAt: Date): Promise<void>;

  abstract clear(subject: LoginSubject): Promise<void>;

  abstract removeEnded(now: Date): Promise<void>;
}
