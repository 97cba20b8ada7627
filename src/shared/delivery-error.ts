/** Details that the simulator adds to the message of the error. */
interface Details {
  /** Whether the simulator failed the attempt on request: it then says nothing about the service. */
  isSimulated?: boolean;
  /** When the next attempt is wanted; absent: as scheduled. */
  retryAfterMs?: number;
}

/** The provider refused the message permanently. */
export class PermanentDeliveryError extends Error {
  override name = 'PermanentDeliveryError';

  constructor(
    message: string,
    readonly details: Pick<Details, 'isSimulated'> = {},
  ) {
    super(message);
  }
}

/** The provider says that the recipient's address does not exist. */
export class HardBounceError extends PermanentDeliveryError {
  override name = 'HardBounceError';
}

/** The provider says that the recipient has opted out of its messages. */
export class OptedOutError extends PermanentDeliveryError {
  override name = 'OptedOutError';
}

/** The provider could not accept the message now. */
export class TransientDeliveryError extends Error {
  override name = 'TransientDeliveryError';

  constructor(
    message: string,
    readonly details: Details = {},
  ) {
    super(message);
  }
}

/** It is unknown whether the provider accepted the message: a further attempt may deliver it twice. */
export class UnknownOutcomeError extends TransientDeliveryError {
  override name = 'UnknownOutcomeError';
}

/** The provider throttles the account. Says nothing about the message. */
export class ThrottledError extends Error {
  override name = 'ThrottledError';
}

/** The provider refuses all messages of the account until somebody fixes the cause. Says nothing about the message. */
export class ProviderPausedError extends Error {
  override name = 'ProviderPausedError';

  constructor(
    message: string,
    readonly pauseMs: number,
    /** The time of the last change to the settings of the attempt. */
    readonly settingsAt: Date,
  ) {
    super(message);
  }
}

/** Whether the simulator has failed an attempt, and the delay that it wants before the next one. */
export function simulationOf(error: unknown): { isSimulated: boolean; retryInMs?: number } {
  if (error instanceof PermanentDeliveryError) return { isSimulated: error.details.isSimulated === true };
  if (!(error instanceof TransientDeliveryError)) return { isSimulated: false };
  const { isSimulated = false, retryAfterMs } = error.details;
  return { isSimulated, ...(retryAfterMs !== undefined && { retryInMs: retryAfterMs }) };
}
