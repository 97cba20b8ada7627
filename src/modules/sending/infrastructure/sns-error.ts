import { PermanentDeliveryError, ProviderPausedError, ThrottledError } from '../domain/delivery-error.js';
import { isCredentialsFailure, PAUSE_UNTIL_FIXED_MS, readAwsFailure, noReplyError } from './aws-failure.js';

/** A policy denies this publish. Any other 403 means that the credentials themselves are invalid. */
const DENIED = /^(AuthorizationError|AccessDenied)/;

/** Classifies an error of SNS Publish by its API reference. */
export function toDeliveryError(error: unknown, settingsAt: Date): Error {
  const failure = readAwsFailure(error);
  const { name, status, reason } = failure;
  if (failure.isThrottled || name === 'KMSThrottlingException') return new ThrottledError(reason);
  if (DENIED.test(name)) return new PermanentDeliveryError(reason);
  if (isCredentialsFailure(failure)) return new ProviderPausedError(reason, PAUSE_UNTIL_FIXED_MS, settingsAt);
  if (status >= 400 && status < 500) return new PermanentDeliveryError(reason);
  return noReplyError('SNS', failure);
}
