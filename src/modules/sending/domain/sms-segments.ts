import { SegmentedMessage } from 'sms-segments-calculator';

import type { SmsEncoding } from '../../../shared/channel.js';

export const MAX_SEGMENTS = 10;
/** Characters that fit into ten segments of GSM-7 at most; every message of more is too long, whatever it says. */
export const MAX_BODY_LENGTH = 1_530;

const UNITS_PER_UCS2_SEGMENT = 67;

export interface SegmentedSms {
  /** Parts in which a phone gets the message, each paid for. */
  segments: number;
  encoding: SmsEncoding;
  /** What GSM-7 cannot write, so that all of the message is in UCS-2; each once, in order. */
  ucs2Characters: string[];
}

/**
 * What the text, which must not be empty, takes. A letter with its accents, or an emoji of several parts, stays whole at the
 * end of a segment where it can.
 */
export function segmentSms(body: string): SegmentedSms {
  const message = new SegmentedMessage(body);
  if (message.encodingName === 'GSM-7') {
    return { segments: message.segmentsCount, encoding: 'gsm7', ucs2Characters: [] };
  }
  const { segmentsCount } = message;
  // What is longer than a segment cannot stay whole, but is counted as if it did.
  const segments = segmentsCount === 1 ? 1 : Math.max(segmentsCount, Math.ceil(body.length / UNITS_PER_UCS2_SEGMENT));
  return { segments, encoding: 'ucs2', ucs2Characters: [...new Set(message.getNonGsmCharacters())] };
}
