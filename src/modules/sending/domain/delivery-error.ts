/** The provider refused the message for good. */
export class PermanentDeliveryError extends Error {
  override name = 'PermanentDeliveryError';
}

/** The provider says that the recipient's address does not exist. */
export class HardBounceError extends PermanentDeliveryError {
  override name = 'HardBounceError';
}

/** The provider could not take the message now. */
export class TransientDeliveryError extends Error {
  override name = 'TransientDeliveryError';
}

/** The provider did not say whether it took the message: a further attempt may deliver it twice. */
export class UnknownOutcomeError extends TransientDeliveryError {
  override name = 'UnknownOutcomeError';
}

/** The provider takes this account's messages more slowly than they come. Says nothing about the message. */
export class ThrottledError extends Error {
  override name = 'ThrottledError';
}

/** The provider takes none of the account's messages until somebody mends something. Says nothing about the message. */
export class ProviderPausedError extends Error {
  override name = 'ProviderPausedError';

  constructor(
    message: string,
    readonly pauseMs: number,
    /** Of the settings that the provider was asked with. */
    readonly settingsAt: Date,
  ) {
    super(message);
  }
}
