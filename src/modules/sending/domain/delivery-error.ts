/** The provider refused the message for good. */
export class PermanentDeliveryError extends Error {
  override name = 'PermanentDeliveryError';
}

/** The provider could not take the message now, or did not say whether it did. */
export class TransientDeliveryError extends Error {
  override name = 'TransientDeliveryError';
}
