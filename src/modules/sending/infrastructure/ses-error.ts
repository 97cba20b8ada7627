import {
  PermanentDeliveryError,
  ProviderPausedError,
  ThrottledError,
  TransientDeliveryError,
  UnknownOutcomeError,
} from '../domain/delivery-error.js';

interface AwsFailure {
  name: string;
  message: string;
  code?: string;
  $metadata?: { httpStatusCode?: number };
}

/** Long enough not to ask in vain, short enough that mail flows soon after somebody has mended the cause. */
const MENDED_BY_A_PERSON_MS = 5 * 60_000;
/** The quota is of the last 24 hours and becomes free little by little. */
const QUOTA_MS = 15 * 60_000;

const PAUSED = ['SendingPausedException', 'AccountSuspendedException', 'CredentialsProviderError'];
const EXPIRED = /^(ExpiredToken|RequestExpired)/;
/** A policy can deny one sender and allow the others, so it says nothing about the account. */
const DENIED = /^AccessDenied/;
const THROTTLED = ['TooManyRequestsException', 'ThrottlingException', 'Throttling', 'LimitExceededException'];
/** No connection was made, so nothing was sent. */
const NOT_CONNECTED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

/** By the errors of the SES API v2 reference, SendEmail; 403 stands for faults of the credentials. */
export function toDeliveryError(error: unknown, settingsAt: Date): Error {
  const { name, message, code = '', $metadata } = error as AwsFailure;
  const status = $metadata?.httpStatusCode ?? 0;
  const reason = `${name}: ${message}`;
  if (DENIED.test(name)) return new TransientDeliveryError(reason);
  if (PAUSED.includes(name) || EXPIRED.test(name) || status === 403)
    return new ProviderPausedError(reason, MENDED_BY_A_PERSON_MS, settingsAt);
  if (THROTTLED.includes(name) || status === 429) {
    return /daily/i.test(message) ? new ProviderPausedError(reason, QUOTA_MS, settingsAt) : new ThrottledError(reason);
  }
  if (status >= 400 && status < 500) return new PermanentDeliveryError(withHint(reason));
  if (NOT_CONNECTED.test(code)) return new TransientDeliveryError(`SES cannot be reached: ${code}`);
  return new UnknownOutcomeError(reason);
}

const withHint = (reason: string): string =>
  reason.includes('Email address is not verified')
    ? `${reason} (verify it in SES in this region; in the sandbox every recipient too)`
    : reason;
