import { SmtpUtf8MissingError } from '../../../platform/smtp/submit-internationalised.js';
import { PermanentDeliveryError, TransientDeliveryError } from '../domain/delivery-error.js';

interface SmtpFailure {
  message: string;
  responseCode?: number;
  response?: string;
  code?: string;
  /** What the relay answered: `CONN` for its greeting. */
  command?: string;
}

/**
 * Refusals of the connection, of TLS or of the credentials are about the settings or the sending host, which a person may
 * mend, not about the message: replies to these commands, and 530, 534, 535, 538 (RFC 4954 §6) whatever they answer.
 */
const OF_THE_CONNECTION = /^(CONN|EHLO|HELO|LHLO|STARTTLS|AUTH\b.*)$/;
const OF_THE_CREDENTIALS = [530, 534, 535, 538];

/** A 5xx reply refuses the message for good; 4xx, lost connections and time-outs may pass (RFC 5321 §4.2.1). */
export function toDeliveryError(error: unknown): PermanentDeliveryError | TransientDeliveryError {
  if (error instanceof SmtpUtf8MissingError) return new PermanentDeliveryError(error.message);
  const { message, response, responseCode = 0, code = '', command = '' } = error as SmtpFailure;
  const reason = response ?? message;
  const mayBeMended = OF_THE_CONNECTION.test(command) || OF_THE_CREDENTIALS.includes(responseCode) || code === 'EAUTH';
  return responseCode >= 500 && !mayBeMended ? new PermanentDeliveryError(reason) : new TransientDeliveryError(reason);
}
