/** Limits concurrent password hashing, so that it cannot take capacity from other requests. */
export abstract class PasswordHashingQueue {
  /**
   * Runs the task when it is the client's turn. Clients are served round-robin, so that a client with many requests
   * delays only itself. Throws `unavailable`, without running the task, if too many tasks wait.
   */
  abstract run<T>(client: string, task: () => Promise<T>): Promise<T>;
}
