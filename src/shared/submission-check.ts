/** What a client of a provider asks immediately before a message leaves, once a connection for it is free. */
export interface SubmissionCheck {
  /** Resolves when the message may be submitted now; otherwise throws the reason. Asks the database. */
  confirm(): Promise<void>;

  /** Whether the last confirmation is recent enough to begin the submission. Asks nobody. */
  isConfirmed(): boolean;

  /** Whether the message still belongs to this process. Asks nobody: for what comes after the beginning. */
  isHeld(): boolean;
}

/** The message may belong to another process by now: this one was away for too long. Nothing of its content has left. */
export class LeaseEndedError extends Error {
  constructor() {
    super('The lease of the message ended before it was submitted');
  }
}
