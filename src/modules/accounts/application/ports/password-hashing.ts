/** Limits concurrent password hashing, so that it cannot take capacity from other work. */
export abstract class PasswordHashing {
  /**
   * Waiting clients are served round-robin, so a client with many requests delays only itself. Throws `unavailable`,
   * without running the work, if too many wait.
   */
  abstract run<T>(client: string, work: () => Promise<T>): Promise<T>;
}
