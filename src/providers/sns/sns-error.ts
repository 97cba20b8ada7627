import { PAUSE_UNTIL_FIXED_MS } from '../../config/limits.js';
import {
  OptedOutError,
  PermanentDeliveryError,
  ProviderPausedError,
  ThrottledError,
} from '../../shared/delivery-error.js';
import { isCredentialsFailure, readAwsFailure, noReplyError } from '../aws/aws-failure.js';

/** A policy denies this publish. Any other 403 means that the credentials themselves are invalid. */
const DENIED = /^(AuthorizationError|AccessDenied)/;

/** The error's name as declared for other operations, or its code. */
const OPTED_OUT = /^OptedOut(Exception)?$/;

/** A parameter that SNS does not take, such as the sender; it does not say which. */
const INVALID_PARAMETER = /^InvalidParameter/;
export const isInvalidParameter = (error: unknown): boolean => INVALID_PARAMETER.test(readAwsFailure(error).name);

/** Classifies an error of SNS Publish by its API reference. */
export function toDeliveryError(error: unknown, settingsAt: Date): Error {
  const failure = readAwsFailure(error);
  const { name, status, reason } = failure;
  if (failure.isThrottled || name === 'KMSThrottlingException') return new ThrottledError(reason);
  if (DENIED.test(name)) return new PermanentDeliveryError(reason);
  if (isCredentialsFailure(failure)) return new ProviderPausedError(reason, PAUSE_UNTIL_FIXED_MS, settingsAt);
  if (OPTED_OUT.test(name)) return new OptedOutError(reason);
  if (status >= 400 && status < 500) return new PermanentDeliveryError(reason);
  return noReplyError('SNS', failure);
}
