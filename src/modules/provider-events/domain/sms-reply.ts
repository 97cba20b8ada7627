import { normalisePhone } from '../../../shared/phone-number.js';
import { type Fields, storable, textOf } from './fields.js';

/** An SMS that was sent to a number of the account. */
export interface SmsReply {
  /** In E.164 if it is a phone number. */
  from: string;
  to: string;
  body: string;
  /** The provider's id of the reply, the same in every report. */
  providerMessageId: string;
  /** The provider's id of the message that it answers, if reported. */
  previousProviderMessageId: string | null;
  /** Whether the reply is a stop word. */
  isStop: boolean;
}

/**
 * Parses the payload of a two-way SMS; null for anything else:
 * https://docs.aws.amazon.com/sms-voice/latest/userguide/two-way-sms-payload.html
 */
export function parseSmsReply(reported: Fields): SmsReply | null {
  const fields = storable(reported) as Fields;
  const from = textOf(fields.originationNumber);
  const to = textOf(fields.destinationNumber);
  const providerMessageId = textOf(fields.inboundMessageId);
  if (from === null || to === null || providerMessageId === null) return null;
  const body = textOf(fields.messageBody) ?? '';
  return {
    from: normalisePhone(from) ?? from,
    to: normalisePhone(to) ?? to,
    body,
    providerMessageId,
    previousProviderMessageId: textOf(fields.previousPublishedMessageId),
    isStop: isStopWord(body.trim() === '' ? (textOf(fields.messageKeyword) ?? '') : body),
  };
}

/** The words that put a number on the opt-out list of Amazon's SMS service. */
const STOP_WORDS = ['ARRET', 'CANCEL', 'END', 'OPTOUT', 'QUIT', 'REMOVE', 'STOP', 'TD', 'UNSUBSCRIBE'];

/** Whether the text is one of these words and nothing else, ignoring case, spaces, punctuation and accents. */
export const isStopWord = (text: string): boolean =>
  STOP_WORDS.includes(
    text
      .normalize('NFKD')
      .replace(/[^\p{L}\p{N}]/gu, '')
      .toUpperCase(),
  );
