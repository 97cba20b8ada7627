import {
  PermanentDeliveryError,
  ProviderPausedError,
  ThrottledError,
  TransientDeliveryError,
} from '../domain/delivery-error.js';
import { isCredentialsFailure, PAUSE_UNTIL_FIXED_MS, readAwsFailure, noReplyError } from './aws-failure.js';

/** The quota covers the last 24 hours, so it recovers gradually. */
const QUOTA_PAUSE_MS = 15 * 60_000;

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
