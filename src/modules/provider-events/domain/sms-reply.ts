import { normalisePhone } from '../../../shared/phone-number.js';
import { type Fields, storable, textOf } from './fields.js';

/** What somebody wrote to a number of the account. */
export interface SmsReply {
  /** In E.164, as far as it is a number. */
  from: string;
  to: string;
  body: string;
  /** The provider's id of it: the same for every report. */
  providerMessageId: string;
  /** The provider's id of the message that it answers, where it says so. */
  previousProviderMessageId: string | null;
  /** Whether the sender wants nothing more. */
  isStop: boolean;
}

/** As two-way SMS are published; null for anything else: https://docs.aws.amazon.com/sms-voice/latest/userguide/two-way-sms-payload.html */
export function readSmsReply(reported: Fields): SmsReply | null {
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

/** Those by which Amazon's SMS service puts a number on its opt-out list. */
const STOP_WORDS = ['ARRET', 'CANCEL', 'END', 'OPTOUT', 'QUIT', 'REMOVE', 'STOP', 'TD', 'UNSUBSCRIBE'];

/** Whether the text is such a word and nothing else, whatever its case, blanks, punctuation and accents. */
export const isStopWord = (text: string): boolean =>
  STOP_WORDS.includes(
    text
      .normalize('NFKD')
      .replace(/[^\p{L}\p{N}]/gu, '')
      .toUpperCase(),
  );
