import { LeaseEndedError } from '../../../shared/submission-check.js';

/** The recipient was suppressed between acceptance and submission. */
export class RecipientSuppressedError extends Error {}

/** Whether the check refused the submission: then it says nothing about the provider. */
export const isRefusal = (error: unknown): error is RecipientSuppressedError | LeaseEndedError =>
  error instanceof RecipientSuppressedError || error instanceof LeaseEndedError;

/** Whether the recipient is suppressed could not be found out: a fault of ours, and nothing was submitted. */
export class SubmissionNotCheckedError extends Error {
  constructor(cause: unknown) {
    super(`The message was not checked before its submission: ${(cause as Error).message}`, { cause });
  }
}

/** Whether an error comes from the check before a submission: it must not be read as an answer of the provider. */
export const isOfCheck = (error: unknown): boolean => isRefusal(error) || error instanceof SubmissionNotCheckedError;
