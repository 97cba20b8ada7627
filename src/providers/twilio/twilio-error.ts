import { PAUSE_UNTIL_FIXED_MS, QUOTA_PAUSE_MS } from '../../config/limits.js';
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
import {
  DAILY_LIMIT,
  isFixable,
  isNoSuchNumber,
  isThrottled,
  isWrongForAll,
  isWrongSender,
  OPTED_OUT,
} from './twilio-codes.js';

const MAX_REASON_LENGTH = 500;

/** The sender and the settings of a failed attempt. */
interface Attempted {
  sender: string;
  /** The time of the last change to the settings. */
  settingsAt: Date;
}

/** The code in the JSON of a reply; 0 if there is none. */
export function codeOf(content: unknown): number {
  const { code } = fieldsOf(content);
  return typeof code === 'number' ? code : 0;
}

/** Classifies a reply of Twilio that accepts no message, by its status and by the code in its JSON. */
export function toDeliveryError(status: number, content: unknown, { sender, settingsAt }: Attempted): Error {
  const { message } = fieldsOf(storable(content));
  const number = codeOf(content);
  const reason = reasonOf(status, number, textOf(message));
  if (number === DAILY_LIMIT) return new ProviderPausedError(reason, QUOTA_PAUSE_MS, settingsAt);
  if (status === 429 || isThrottled(number)) return new ThrottledError(reason);
  if (status === 401 || isFixable(number) || (isWrongSender(number) && isWrongForAll(number, sender)))
    return new ProviderPausedError(reason, PAUSE_UNTIL_FIXED_MS, settingsAt);
  if (status < 400 || status >= 500 || status === 408) return new UnknownOutcomeError(reason);
  // A proxy has answered, or the fault is in the settings of the account.
  if (number === 0 || isWrongSender(number)) return new TransientDeliveryError(reason);
  if (number === OPTED_OUT) return new OptedOutError(reason);
  return isNoSuchNumber(number) ? new HardBounceError(reason) : new PermanentDeliveryError(reason);
}

function reasonOf(status: number, code: number, message: string | null): string {
  const source = code === 0 ? `Twilio answered ${status}` : `Twilio error ${code}`;
  return (message === null ? source : `${source}: ${message}`).slice(0, MAX_REASON_LENGTH).toWellFormed();
}
