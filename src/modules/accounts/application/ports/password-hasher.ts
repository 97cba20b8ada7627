/** Hashes passwords so that trying many of them is expensive. */
export abstract class PasswordHasher {
  abstract hash(password: string): Promise<string>;

  /** Returns false, after the same amount of hashing, if there is no argon2id hash to compare with. */
  abstract verify(hash: string | null, password: string): Promise<boolean>;
}

/** Limits concurrent password hashing, so that it cannot take capacity from other requests. */
export abstract class PasswordHashingQueue {
  /**
   * Runs the task when it is the client's turn. Clients are served round-robin, so that a client with many requests
   * delays only itself. Throws `unavailable`, without running the task, if too many tasks wait.
   */
  abstract run<T>(client: string, task: () => Promise<T>): Promise<T>;
}
