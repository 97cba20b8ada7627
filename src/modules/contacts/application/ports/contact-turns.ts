/**
 * Keeps contacts in step with what they are checked against, the suppressions and the lists of their account, where neither
 * writer could see what the other has not committed yet. Turns last until the running transaction ends. Who asks for several
 * does so in the order in which they stand here, and has locked the contacts that it changes before the last two.
 */
export abstract class ContactTurns {
  /** Among others who write contacts. Lists stand meanwhile. */
  abstract toUseLists(accountId: string): Promise<void>;

  /** Alone among those who write contacts. */
  abstract toChangeLists(accountId: string): Promise<void>;

  /** Alone: no new contact is committed meanwhile and nothing else suppressed or lifted. */
  abstract toSuppress(accountIds: readonly string[]): Promise<void>;

  /** Among others who have added contacts: suppressions stay as they are. Nothing more to ask for after `toSuppress`. */
  abstract toFollow(accountId: string): Promise<void>;
}
