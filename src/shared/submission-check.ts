/** Provider clients run this check immediately before submitting a message, once a connection is free. */
export interface SubmissionCheck {
  /** Resolves when the message may be submitted now; otherwise throws the reason. Asks the database. */
  confirm(): Promise<void>;

  /** Whether the last confirmation is recent enough to begin the submission. Does no I/O. */
  isConfirmed(): boolean;

  /** Whether this process still holds the message. Does no I/O; for checks during the submission. */
  isHeld(): boolean;
}

/** Another process may hold the message. Its content has not been sent, or not to the end. */
export class LeaseEndedError extends Error {
  constructor() {
    super('The lease of the message ended before it was submitted');
  }
}
