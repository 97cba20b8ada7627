import { TransientDeliveryError, UnknownOutcomeError } from '../domain/delivery-error.js';

/** What the AWS SDK throws, in the terms that decide what follows. */
export interface AwsFailure {
  name: string;
  message: string;
  /** Of HTTP; 0 where there was no answer. */
  status: number;
  /** Of the system, where there was no connection. */
  code: string;
  /** To be shown: name and message. */
  reason: string;
}

/** Long enough not to ask in vain, short enough that messages flow soon after somebody has mended the cause. */
export const MENDED_BY_A_PERSON_MS = 5 * 60_000;

const EXPIRED = /^(ExpiredToken|RequestExpired)/;
/** No connection was made, so nothing was sent. */
const NOT_CONNECTED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

export function readAwsFailure(error: unknown): AwsFailure {
  const { name, message, code, $metadata } = error as Error & {
    code?: string;
    $metadata?: { httpStatusCode?: number };
  };
  return { name, message, status: $metadata?.httpStatusCode ?? 0, code: code ?? '', reason: `${name}: ${message}` };
}

/** 403 stands for faults of the credentials. */
export const isOfCredentials = ({ name, status }: AwsFailure): boolean =>
  name === 'CredentialsProviderError' || EXPIRED.test(name) || status === 403;

/** Where the service did not say what became of the message. */
export const withoutAnswer = (service: string, { code, reason }: AwsFailure): Error =>
  NOT_CONNECTED.test(code)
    ? new TransientDeliveryError(`${service} cannot be reached: ${code}`)
    : new UnknownOutcomeError(reason);
