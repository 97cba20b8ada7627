import { ProviderFailure } from '../application/provider-failure.js';

const MAX_REPLY_LENGTH = 300;

/** A failure of the relay in words for the account's admin: the relay's own reply where it gave one. */
export const relayFailure = (error: unknown): ProviderFailure => new ProviderFailure('smtp_relay', describe(error));

function describe(error: unknown): string {
  const { code, originalCode, response } = error as { code?: string; originalCode?: string; response?: string };
  if (response) return response.replace(/\s+/g, ' ').trim().slice(0, MAX_REPLY_LENGTH);
  if (code === 'EABORT' || code === 'ETIMEDOUT') return 'the SMTP relay did not answer in time';
  return `the SMTP relay cannot be used (${originalCode ?? code ?? 'no error code'})`;
}
