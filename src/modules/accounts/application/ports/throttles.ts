/**
 * The subject of a limit: failed logins (`smtp`: the network of a client that submits mail), sign-ups of a client,
 * confirmation mails to an address, or uses of a challenge.
 */
export interface ThrottleSubject {
  kind: 'address' | 'client' | 'device' | 'password' | 'smtp' | 'signup_client' | 'signup_mail' | 'challenge';
  value: string;
}

/** Counts of attempts. An address is counted whether or not a user has it. */
export abstract class Throttles {
  /**
   * Counts one more attempt in the subject's current window, or starts a window that ends at `newWindowEndsAt`. Exact
   * under concurrency across all processes.
   */
  abstract count(
    subject: ThrottleSubject,
    now: Date,
    newWindowEndsAt: Date,
  ): Promise<{ attempts: number; windowEndsAt: Date }>;

  /**
   * Gives back one attempt in the window that ends at that time. The others stay counted: an email may belong to users
   * of several accounts, and the password of one must not give more attempts at that of another.
   */
  abstract refund(subject: ThrottleSubject, windowEndsAt: Date): Promise<void>;

  abstract clear(subject: ThrottleSubject): Promise<void>;

  abstract removeEnded(now: Date): Promise<void>;
}
