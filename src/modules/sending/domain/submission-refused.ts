import {
  type LeaseEndedError,
  NotSubmittedError,
  type RecipientSuppressedError,
} from '../../../shared/submission-check.js';

/** The campaign of the message was paused or canceled between acceptance and submission. */
export class CampaignStoppedError extends NotSubmittedError {
  constructor(readonly status: 'paused' | 'canceled') {
    super(`Its campaign is ${status}`);
  }
}

/** The process is stopping. The message was still waiting for memory or a connection. */
export class StoppingError extends NotSubmittedError {}

/** The message has a topic, and the quiet hours of its account are not over. */
export class QuietHoursError extends NotSubmittedError {
  constructor(readonly until: Date) {
    super(`Quiet hours until ${until.toISOString()}`);
  }
}

type Refusal = QuietHoursError | RecipientSuppressedError | CampaignStoppedError | LeaseEndedError | StoppingError;

/** Whether the check refused the submission. Such an error says nothing about the provider. */
export const isRefusal = (error: unknown): error is Refusal =>
  error instanceof NotSubmittedError && !(error instanceof SubmissionNotCheckedError);

/** The check itself failed: an internal error, and nothing was submitted. */
export class SubmissionNotCheckedError extends NotSubmittedError {
  constructor(cause: unknown) {
    super(`The message was not checked before its submission: ${(cause as Error).message}`, { cause });
  }
}
