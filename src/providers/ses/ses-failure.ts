import { sesSdk } from '../../platform/aws/aws-sdk.js';
import { ProviderFailure } from '../../shared/domain-error.js';

const MAX_MESSAGE_LENGTH = 300;

/** Describes the reply of SES, or why there is none. */
export const sesFailure = (error: unknown): ProviderFailure => new ProviderFailure(describe(error));

function describe(error: unknown): string {
  const { name, message, code } = error as NodeJS.ErrnoException;
  if (error instanceof sesSdk().SESv2ServiceException) {
    return `SES answered ${name}: ${message.replace(/\s+/g, ' ').trim().slice(0, MAX_MESSAGE_LENGTH).toWellFormed()}`;
  }
  // The SDK names a closed connection TimeoutError, too.
  const isClosed = code === 'ECONNRESET' || code === 'EPIPE';
  if (!isClosed && /Timeout|Abort/.test(name)) return 'SES did not answer in time';
  if (name === 'CredentialsProviderError') return 'there are no AWS credentials';
  return `SES cannot be reached (${code ?? message})`;
}
