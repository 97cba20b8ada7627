/** Logins of an address that were tried and have not succeeded, whether a user has the address or not. */
export abstract class LoginThrottles {
  /**
   * Counts one more attempt in the address's running window, or opens one that ends at `newWindowEndsAt`. Each of any
   * number of concurrent calls gets a number of its own.
   */
  abstract count(address: string, now: Date, newWindowEndsAt: Date): Promise<{ attempts: number; windowEndsAt: Date }>;

  abstract clear(address: string): Promise<void>;

  abstract removeEnded(now: Date): Promise<void>;
}
