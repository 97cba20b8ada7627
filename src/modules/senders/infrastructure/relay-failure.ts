import { explainRelayError } from '../../../platform/smtp/describe-relay-error.js';
import { SmtpUtf8MissingError } from '../../../platform/smtp/relay-connection.js';
import { ProviderFailure } from '../../../shared/domain-error.js';

const MAX_REPLY_LENGTH = 300;

/** Explains a failure of the relay to the account's admin, with the relay's SMTP reply if there was one. */
export const relayFailure = (error: unknown): ProviderFailure => new ProviderFailure(describe(error));

function describe(error: unknown): string {
  const explained = explainRelayError(error);
  if (explained !== null) return explained.replace(/\s+/g, ' ').trim().slice(0, MAX_REPLY_LENGTH).toWellFormed();
  if (error instanceof SmtpUtf8MissingError) return error.message;
  const { code, originalCode } = error as { code?: string; originalCode?: string };
  if (code === 'ETIMEDOUT') return 'the SMTP relay did not answer in time';
  return `the SMTP relay cannot be used (${originalCode ?? code ?? 'no error code'})`;
}
