/** Runs what hashes passwords in few places of its own, so that it cannot take the capacity of anything else. */
export abstract class PasswordWork {
  /**
   * Clients take turns: one that asks for much waits for itself. Throws unavailable, before anything is done, where too
   * many wait.
   */
  abstract run<T>(client: string, work: () => Promise<T>): Promise<T>;
}
