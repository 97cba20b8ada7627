import { isThrottlingError } from '../../../platform/aws/aws-sdk.js';
import { TransientDeliveryError, UnknownOutcomeError } from '../domain/delivery-error.js';

/** An error of the AWS SDK, reduced to what its classification needs. */
export interface AwsFailure {
  name: string;
  message: string;
  /** HTTP status; 0 if there was no reply. */
  status: number;
  /** System error code if there was no connection. */
  code: string;
  isThrottled: boolean;
  /** Name and message, for display. */
  reason: string;
}

/** Long enough not to retry in vain, short enough that messages flow soon after somebody has fixed the cause. */
export const PAUSE_UNTIL_FIXED_MS = 5 * 60_000;

const EXPIRED = /^(ExpiredToken|RequestExpired)/;
/** No connection was made, so nothing was sent. */
const NOT_CONNECTED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

export function readAwsFailure(error: unknown): AwsFailure {
  const failure = error as Parameters<typeof isThrottlingError>[0] & { code?: string };
  const { name, message, code = '', $metadata } = failure;
  const status = $metadata?.httpStatusCode ?? 0;
  return { name, message, status, code, isThrottled: isThrottlingError(failure), reason: `${name}: ${message}` };
}

export const isCredentialsFailure = ({ name, status }: AwsFailure): boolean =>
  name === 'CredentialsProviderError' || EXPIRED.test(name) || status === 403;

/** For a failure that does not say whether the service accepted the message. */
export const noReplyError = (service: string, { code, reason }: AwsFailure): Error =>
  NOT_CONNECTED.test(code)
    ? new TransientDeliveryError(`${service} cannot be reached: ${code}`)
    : new UnknownOutcomeError(reason);
