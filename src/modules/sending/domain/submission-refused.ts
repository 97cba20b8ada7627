import { LeaseEndedError } from '../../../shared/submission-check.js';

/** The recipient was suppressed between acceptance and submission. */
export class RecipientSuppressedError extends Error {}

/** Whether the check refused the submission: then it says nothing about the provider. */
export const isRefusal = (error: unknown): error is RecipientSuppressedError | LeaseEndedError =>
  error instanceof RecipientSuppressedError || error instanceof LeaseEndedError;
