import { RefusedRelayError } from './connect-to-relay.js';

interface RelayError {
  message: string;
  /** The reply of the relay as nodemailer read it. */
  response?: string;
  /** The command that was answered; `CONN` for the greeting. */
  command?: string;
  code?: string;
  /** The code of the underlying system error. */
  originalCode?: string;
}

/** RFC 5321 §4.2: three digits, then a space or, on all lines but the last, a hyphen. */
const SMTP_REPLY = /^[2-5]\d\d[ -]/;
const TLS_CODE = /CERT|SSL|TLS|UNABLE_TO_|SIGNATURE|CRL|EPROTO$/;

/** A reply has few lines of at most 512 octets (RFC 5321 §4.5.3.1.5). */
const MAX_REPLY_LENGTH = 1_000;

/** Makes a reply safe to store: a relay chosen by an account may send anything of any length. */
export const storableReply = (text: string): string =>
  text.slice(0, MAX_REPLY_LENGTH).replaceAll('\0', '').toWellFormed();

const NOT_SMTP = 'The SMTP relay does not answer as an SMTP server does';
const NO_TLS =
  'The SMTP relay does not offer TLS, and the password is not sent without it unless smtp.allowPlaintext is set';

/**
 * Describes a relay's error for the account that chose its host; null if the relay did not answer, and the error's own
 * message suffices. Includes text from the other side only if it is an SMTP reply, so that it cannot be used to read
 * other services. TLS errors, which quote the certificate, are reduced to their code.
 */
export function explainRelayError(error: unknown): string | null {
  const { message, response, command, code = '', originalCode = code } = error as RelayError;
  if (error instanceof RefusedRelayError) return message;
  if ((command === 'STARTTLS' && response?.startsWith('5')) || message.includes('required STARTTLS')) return NO_TLS;
  if (response !== undefined) return SMTP_REPLY.test(response) ? storableReply(response) : NOT_SMTP;
  if (code === 'ETLS' || TLS_CODE.test(originalCode)) {
    return `The TLS handshake with the SMTP relay failed (${originalCode})`;
  }
  return null;
}

/** Describes the error, by its own message if the relay did not answer, such as `connect ECONNREFUSED …`. */
export const describeRelayError = (error: unknown): string =>
  explainRelayError(error) ?? storableReply((error as Error).message);
