import { DomainError } from '../../../shared/domain-error.js';

const MAX_REPLY_LENGTH = 300;

/** A failure of the relay in words for the account's admin: the relay's own reply where it gave one. */
export function relayFailure(error: unknown): DomainError {
  const { code, originalCode, response } = error as { code?: string; originalCode?: string; response?: string };
  if (response) return providerError(response.replace(/\s+/g, ' ').trim().slice(0, MAX_REPLY_LENGTH));
  if (code === 'EABORT' || code === 'ETIMEDOUT') return providerError('the SMTP relay did not answer in time');
  return providerError(`the SMTP relay cannot be used (${originalCode ?? code ?? 'no error code'})`);
}

export const providerError = (detail: string): DomainError =>
  new DomainError('provider', 'smtp_relay', `Provider error: ${detail}`);
