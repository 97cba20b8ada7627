import { describeRelayError } from '../../../platform/smtp/describe-relay-error.js';
import { SmtpUtf8MissingError } from '../../../platform/smtp/relay-connection.js';
import { HardBounceError, PermanentDeliveryError, TransientDeliveryError } from '../domain/delivery-error.js';

interface SmtpFailure {
  response?: string;
  responseCode?: number;
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

/** The address does not exist, does not exist any more, or its mailbox is disabled (RFC 3463 §3.2, §3.3; RFC 7505). */
const NO_SUCH_ADDRESS = ['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1'];
/** Follows the code on each line of a reply (RFC 2034 §4). */
const ENHANCED_STATUS_CODE = /^5\d\d[ -](5\.\d{1,3}\.\d{1,3})(?!\S)/;

/** Only the reply to RCPT is about the recipient. Without an enhanced code it may be a policy of the relay. */
function isHardBounce({ command, response = '' }: SmtpFailure): boolean {
  const [, status = ''] = ENHANCED_STATUS_CODE.exec(response) ?? [];
  return command === 'RCPT TO' && NO_SUCH_ADDRESS.includes(status);
}

/** A 5xx reply refuses the message for good; 4xx, lost connections and time-outs may pass (RFC 5321 §4.2.1). */
export function toDeliveryError(error: unknown): PermanentDeliveryError | TransientDeliveryError {
  if (error instanceof SmtpUtf8MissingError) return new PermanentDeliveryError(error.message);
  const failure = error as SmtpFailure;
  const { responseCode = 0, code = '', command = '' } = failure;
  const reason = describeRelayError(error);
  const mayBeMended = OF_THE_CONNECTION.test(command) || OF_THE_CREDENTIALS.includes(responseCode) || code === 'EAUTH';
  if (responseCode < 500 || mayBeMended) return new TransientDeliveryError(reason);
  return isHardBounce(failure) ? new HardBounceError(reason) : new PermanentDeliveryError(reason);
}
