import { PermanentDeliveryError, TransientDeliveryError } from '../domain/delivery-error.js';

interface SmtpFailure {
  message: string;
  responseCode?: number;
  response?: string;
  code?: string;
}

/** Replies to AUTH and STARTTLS are about the settings, which a person may mend, not about the message. */
const OF_THE_SETTINGS = ['EAUTH', 'ETLS', 'ENOAUTH'];

/** A 5xx reply refuses the message for good; 4xx, lost connections and time-outs may pass (RFC 5321 §4.2.1). */
export function toDeliveryError(error: unknown): PermanentDeliveryError | TransientDeliveryError {
  const { message, response, responseCode = 0, code = '' } = error as SmtpFailure;
  const reason = response ?? message;
  const isRefusal = responseCode >= 500 && !OF_THE_SETTINGS.includes(code);
  return isRefusal ? new PermanentDeliveryError(reason) : new TransientDeliveryError(reason);
}
