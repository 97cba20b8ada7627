/**
 * Keeps contacts in step with what they are checked against, the suppressions and the lists of their account, where neither
 * writer could see what the other has not committed yet. Turns last until the running transaction ends.
 */
export abstract class ContactTurns {
  /** Among other writers of contacts. Suppressions and lists stay as they are meanwhile. */
  abstract toWrite(accountId: string): Promise<void>;

  /** Alone, to change what contacts are checked against too. Not to be asked for in a turn to write. */
  abstract alone(accountIds: readonly string[]): Promise<void>;
}
