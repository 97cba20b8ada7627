import { PAUSE_UNTIL_FIXED_MS } from '../../config/limits.js';
import {
  HardBounceError,
  OptedOutError,
  PermanentDeliveryError,
  ProviderPausedError,
  ThrottledError,
  TransientDeliveryError,
  UnknownOutcomeError,
} from '../../shared/delivery-error.js';
import { fieldsOf, storable, textOf } from '../events/fields.js';
import { isFixable, isNoSuchNumber, isThrottled, OPTED_OUT } from './twilio-codes.js';

const MAX_REASON_LENGTH = 500;

/** Classifies a reply of Twilio that accepts no message, by its status and by the code in its JSON. */
export function toDeliveryError(status: number, content: unknown, settingsAt: Date): Error {
  const { code, message } = fieldsOf(storable(content));
  const number = typeof code === 'number' ? code : 0;
  const reason = reasonOf(status, number, textOf(message));
  if (status === 429 || isThrottled(number)) return new ThrottledError(reason);
  if (status === 401 || isFixable(number)) return new ProviderPausedError(reason, PAUSE_UNTIL_FIXED_MS, settingsAt);
  if (status < 400 || status >= 500 || status === 408) return new UnknownOutcomeError(reason);
  if (number === 0) return new TransientDeliveryError(reason); // of something between, which knows no message
  if (number === OPTED_OUT) return new OptedOutError(reason);
  return isNoSuchNumber(number) ? new HardBounceError(reason) : new PermanentDeliveryError(reason);
}

function reasonOf(status: number, code: number, message: string | null): string {
  const source = code === 0 ? `Twilio answered ${status}` : `Twilio error ${code}`;
  return (message === null ? source : `${source}: ${message}`).slice(0, MAX_REASON_LENGTH).toWellFormed();
}
