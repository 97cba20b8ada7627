import {
  PermanentDeliveryError,
  ProviderPausedError,
  ThrottledError,
  TransientDeliveryError,
} from '../domain/delivery-error.js';
import { isOfCredentials, MENDED_BY_A_PERSON_MS, readAwsFailure, withoutAnswer } from './aws-failure.js';

/** The quota is of the last 24 hours and becomes free little by little. */
const QUOTA_MS = 15 * 60_000;

const PAUSED = ['SendingPausedException', 'AccountSuspendedException'];
/** A policy can deny one sender and allow the others, so it says nothing about the account. */
const DENIED = /^AccessDenied/;
const THROTTLED = ['TooManyRequestsException', 'ThrottlingException', 'Throttling', 'LimitExceededException'];

/** By the errors of the SES API v2 reference, SendEmail. */
export function toDeliveryError(error: unknown, settingsAt: Date): Error {
  const failure = readAwsFailure(error);
  const { name, message, status, reason } = failure;
  if (DENIED.test(name)) return new TransientDeliveryError(reason);
  if (PAUSED.includes(name) || isOfCredentials(failure))
    return new ProviderPausedError(reason, MENDED_BY_A_PERSON_MS, settingsAt);
  if (THROTTLED.includes(name) || status === 429) {
    return /daily/i.test(message) ? new ProviderPausedError(reason, QUOTA_MS, settingsAt) : new ThrottledError(reason);
  }
  if (status >= 400 && status < 500) return new PermanentDeliveryError(withHint(reason));
  return withoutAnswer('SES', failure);
}

const withHint = (reason: string): string =>
  reason.includes('Email address is not verified')
    ? `${reason} (verify it in SES in this region; in the sandbox every recipient too)`
    : reason;
