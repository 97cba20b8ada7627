/** The meanings of Twilio's error codes: https://www.twilio.com/docs/api/errors */

import { MESSAGING_SERVICE } from './messaging-service.js';

/** The recipient has replied STOP to the sender. */
export const OPTED_OUT = 21610;

/** An invalid number, not a mobile number, or a handset that does not exist. */
const NO_SUCH_NUMBER: ReadonlySet<number> = new Set([21211, 21614, 30005]);
export const isNoSuchNumber = (code: number): boolean => NO_SUCH_NUMBER.has(code);

/** The account has sent as many messages as it may in a day. */
export const DAILY_LIMIT = 63038;

/** Too many requests, or a sender whose queue at Twilio is full. */
const THROTTLED: ReadonlySet<number> = new Set([20429, 21611]);
export const isThrottled = (code: number): boolean => THROTTLED.has(code);

/** The sender cannot send to this destination, or a messaging service has no number that can. */
const WRONG_FOR_RECIPIENT: ReadonlySet<number> = new Set([21606, 21703]);
/** The sender is not valid, not one of the account, or cannot send SMS. */
const WRONG_SENDER: ReadonlySet<number> = new Set([21212, 21659, 21660, 21661, 21705, ...WRONG_FOR_RECIPIENT]);
export const isWrongSender = (code: number): boolean => WRONG_SENDER.has(code);

/**
 * Whether nothing can be sent from a wrong sender, whoever the recipient is. Short codes and names can be used in some
 * countries only, and are refused for the others with the same codes.
 */
export const isWrongForAll = (code: number, sender: string): boolean =>
  !WRONG_FOR_RECIPIENT.has(code) && (sender.startsWith('+') || MESSAGING_SERVICE.test(sender));

/**
 * Invalid credentials, no such account, an account that is not active or is suspended, or a BASE_URL that Twilio cannot
 * reach.
 */
const FIXABLE: ReadonlySet<number> = new Set([20003, 20005, 20404, 21609, 30002]);
export const isFixable = (code: number): boolean => FIXABLE.has(code);
