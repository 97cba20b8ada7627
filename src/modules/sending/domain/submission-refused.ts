import type { Channel } from '../../../shared/channel.js';
import { LeaseEndedError } from '../../../shared/submission-check.js';

/** Why nothing is sent to a recipient on the suppression list. */
export const suppressedText = (channel: Channel, recipient: string): string =>
  channel === 'sms' ? `${recipient} has opted out of SMS` : `${recipient} is suppressed`;

/** The recipient was suppressed between acceptance and submission. */
export class RecipientSuppressedError extends Error {}

/** The process stops. The message was still waiting for memory or a connection. */
export class StoppingError extends Error {}

type Refusal = RecipientSuppressedError | LeaseEndedError | StoppingError;

/** Whether the check refused the submission. Such an error says nothing about the provider. */
export const isRefusal = (error: unknown): error is Refusal =>
  error instanceof RecipientSuppressedError || error instanceof LeaseEndedError || error instanceof StoppingError;

/** The check itself failed: an internal error, and nothing was submitted. */
export class SubmissionNotCheckedError extends Error {
  constructor(cause: unknown) {
    super(`The message was not checked before its submission: ${(cause as Error).message}`, { cause });
  }
}

/** Whether the check before the submission threw the error: it must not be classified as a reply of the provider. */
export const isFromCheck = (error: unknown): boolean => isRefusal(error) || error instanceof SubmissionNotCheckedError;
