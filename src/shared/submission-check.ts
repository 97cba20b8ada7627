import type { Channel } from './channel.js';

/** Provider clients run this check immediately before submitting a message, once a connection is free. */
export interface SubmissionCheck {
  /** Resolves when the message may be submitted now; otherwise throws the reason. Asks the database. */
  confirm(): Promise<void>;

  /** Whether the last confirmation is recent enough to begin the submission. Does no I/O. */
  isConfirmed(): boolean;

  /** Whether this process still holds the message. Does no I/O; for checks during the submission. */
  isHeld(): boolean;
}

/** The error of a check: nothing was submitted, and the provider has not replied. */
export class NotSubmittedError extends Error {}

/** Whether the check before the submission threw the error: it must not be classified as a reply of the provider. */
export const isFromCheck = (error: unknown): boolean => error instanceof NotSubmittedError;

/** Another process may hold the message. Its content has not been sent, or not to the end. */
export class LeaseEndedError extends NotSubmittedError {
  constructor() {
    super('The lease of the message ended before it was submitted');
  }
}

/** The recipient is suppressed, or has been since the message was accepted. */
export class RecipientSuppressedError extends NotSubmittedError {}

/** The reason why nothing is sent to a recipient on the suppression list. */
export const suppressedText = (channel: Channel, recipient: string): string =>
  channel === 'sms' ? `${recipient} has opted out of SMS` : `${recipient} is suppressed`;

/** The reason why nothing of a campaign is sent to a recipient without a consent that the account requires. */
export const noConsentText = (recipient: string): string => `${recipient} has not consented to marketing`;
