import { PermanentDeliveryError, ProviderPausedError, ThrottledError } from '../domain/delivery-error.js';
import { isOfCredentials, MENDED_BY_A_PERSON_MS, readAwsFailure, withoutAnswer } from './aws-failure.js';

/** `ThrottledException`, `Throttling`, `ThrottlingException`, `KMSThrottlingException`. */
const THROTTLED = /Throttl/;
/** A policy does not let these credentials publish this. The others of 403 say that the credentials themselves are no good. */
const DENIED = /^(AuthorizationError|AccessDenied)/;

/** By the errors of the SNS API reference, Publish. */
export function toDeliveryError(error: unknown, settingsAt: Date): Error {
  const failure = readAwsFailure(error);
  const { name, status, reason } = failure;
  if (THROTTLED.test(name) || status === 429) return new ThrottledError(reason);
  if (DENIED.test(name)) return new PermanentDeliveryError(reason);
  if (isOfCredentials(failure)) return new ProviderPausedError(reason, MENDED_BY_A_PERSON_MS, settingsAt);
  if (status >= 400 && status < 500) return new PermanentDeliveryError(reason);
  return withoutAnswer('SNS', failure);
}
