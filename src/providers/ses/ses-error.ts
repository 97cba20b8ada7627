import { PAUSE_UNTIL_FIXED_MS, QUOTA_PAUSE_MS } from '../../config/limits.js';
import {
  PermanentDeliveryError,
  ProviderPausedError,
  ThrottledError,
  TransientDeliveryError,
} from '../../shared/delivery-error.js';
import { isCredentialsFailure, readAwsFailure, noReplyError } from '../aws/aws-failure.js';

const PAUSED = ['SendingPausedException', 'AccountSuspendedException'];
/** A policy can deny one sender and allow the others, so it says nothing about the account. */
const DENIED = /^AccessDenied/;

/** Classifies an error of SES SendEmail by the API v2 reference. */
export function toDeliveryError(error: unknown, settingsAt: Date): Error {
  const failure = readAwsFailure(error);
  const { name, message, status, reason } = failure;
  if (DENIED.test(name)) return new TransientDeliveryError(reason);
  if (PAUSED.includes(name) || isCredentialsFailure(failure))
    return new ProviderPausedError(reason, PAUSE_UNTIL_FIXED_MS, settingsAt);
  if (failure.isThrottled) {
    return /daily/i.test(message)
      ? new ProviderPausedError(reason, QUOTA_PAUSE_MS, settingsAt)
      : new ThrottledError(reason);
  }
  if (status >= 400 && status < 500) return new PermanentDeliveryError(withHint(reason));
  return noReplyError('SES', failure);
}

const withHint = (reason: string): string =>
  reason.includes('Email address is not verified')
    ? `${reason} (verify it in SES in this region; in the sandbox every recipient too)`
    : reason;
