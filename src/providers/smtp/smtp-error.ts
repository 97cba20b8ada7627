import { describeRelayError } from '../../platform/smtp/describe-relay-error.js';
import { MessageTooLargeError, SmtpUtf8MissingError } from '../../platform/smtp/relay-connection.js';
import { HardBounceError, PermanentDeliveryError, TransientDeliveryError } from '../../shared/delivery-error.js';

interface SmtpFailure {
  response?: string;
  responseCode?: number;
  code?: string;
  /** The command that the relay replied to; `CONN` for its greeting. */
  command?: string;
}

/**
 * A refused connection, TLS handshake or login concerns the settings or the sending host, which somebody may fix, and
 * not the message: replies to these commands, and 530, 534, 535, 538 (RFC 4954 §6) to any command.
 */
const CONNECTION_COMMAND = /^(CONN|EHLO|HELO|LHLO|STARTTLS|AUTH\b.*)$/;
const LOGIN_CODES = [530, 534, 535, 538];

/** The address does not exist, no longer exists, or its mailbox is disabled (RFC 3463 §3.2, §3.3; RFC 7505). */
const NO_SUCH_ADDRESS = ['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1'];
/** The enhanced status code, which follows the code on each line of a reply (RFC 2034 §4). */
const ENHANCED_STATUS_CODE = /^5\d\d[ -](5\.\d{1,3}\.\d{1,3})(?!\S)/;

/** Only the reply to RCPT concerns the recipient. Without an enhanced code it may be a policy of the relay. */
function isHardBounce({ command, response = '' }: SmtpFailure): boolean {
  const [, status = ''] = ENHANCED_STATUS_CODE.exec(response) ?? [];
  return command === 'RCPT TO' && NO_SUCH_ADDRESS.includes(status);
}

/** A 5xx reply is permanent; 4xx replies, lost connections and timeouts are transient (RFC 5321 §4.2.1). */
export function toDeliveryError(error: unknown): PermanentDeliveryError | TransientDeliveryError {
  if (error instanceof SmtpUtf8MissingError || error instanceof MessageTooLargeError)
    return new PermanentDeliveryError(error.message);
  const failure = error as SmtpFailure;
  const { responseCode = 0, code = '', command = '' } = failure;
  const reason = describeRelayError(error);
  const isFixable = CONNECTION_COMMAND.test(command) || LOGIN_CODES.includes(responseCode) || code === 'EAUTH';
  if (responseCode < 500 || isFixable) return new TransientDeliveryError(reason);
  return isHardBounce(failure) ? new HardBounceError(reason) : new PermanentDeliveryError(reason);
}
