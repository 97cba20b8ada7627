import { isThrottlingError } from '../../platform/aws/aws-sdk.js';
import type { HandlerError } from '../../platform/aws/undici-handler.js';
import { TransientDeliveryError, UnknownOutcomeError } from '../../shared/delivery-error.js';

/** An error of the AWS SDK, reduced to what its classification needs. */
export interface AwsFailure {
  name: string;
  message: string;
  /** HTTP status; 0 if there was no reply. */
  status: number;
  /** The code of the system error. */
  code: string;
  /** Whether nothing of the request was sent. */
  isUnsent: boolean;
  isThrottled: boolean;
  /** The name and the message, for display. */
  reason: string;
}

/**
 * Codes that mean that no connection was made, to the service or to the source of its credentials, if the handler does
 * not say so.
 */
const NOT_CONNECTED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
const EXPIRED = /^(ExpiredToken|RequestExpired)/;

export function readAwsFailure(error: unknown): AwsFailure {
  const failure = error as Parameters<typeof isThrottlingError>[0] & Partial<HandlerError> & { code?: string };
  const { name, message, code = '', isWritten, $metadata } = failure;
  const status = $metadata?.httpStatusCode ?? 0;
  const reason = `${name}: ${message}`;
  const isUnsent = isWritten === undefined ? NOT_CONNECTED.test(code) : !isWritten;
  return { name, message, status, code, isUnsent, isThrottled: isThrottlingError(failure), reason };
}

export const isCredentialsFailure = ({ name, status }: AwsFailure): boolean =>
  name === 'CredentialsProviderError' || EXPIRED.test(name) || status === 403;

/** The error for a failure without a reply: it depends on whether the service may have accepted the message. */
export const noReplyError = (service: string, { code, message, isUnsent, reason }: AwsFailure): Error =>
  isUnsent
    ? new TransientDeliveryError(`${service} cannot be reached: ${code || message}`)
    : new UnknownOutcomeError(reason);
